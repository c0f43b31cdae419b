// Parses the part of the shell's language that the commands of conformance specs use.

const KEYWORDS = new Set(["then", "elif", "else", "fi", "do", "done", "}", ")"]);

/** Parses a script into a list of pipelines. Throws for syntax that is not supported. */
export function parseScript(text) {
  const parser = new Parser(text);
  const list = parser.list();
  if (!parser.atEnd()) throw new SyntaxError(`syntax error near ${JSON.stringify(parser.rest())}`);
  return list;
}

class Parser {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  atEnd() {
    return this.#at >= this.#text.length;
  }

  rest() {
    return this.#text.slice(this.#at, this.#at + 20);
  }

  /** Parses commands until a keyword that ends them. */
  list() {
    const items = [];
    for (;;) {
      this.#skipBlank();
      if (this.atEnd() || KEYWORDS.has(this.#peekWord())) return { kind: "list", items };
      const pipeline = this.#pipeline();
      const operator = this.#operator();
      items.push({ pipeline, operator });
      if (operator === undefined) return { kind: "list", items };
    }
  }

  #operator() {
    this.#skipSpaces();
    for (const operator of ["&&", "||", "&", ";", "\n"]) {
      if (!this.#text.startsWith(operator, this.#at)) continue;
      this.#at += operator.length;
      return operator === "\n" ? ";" : operator;
    }
    return undefined;
  }

  #pipeline() {
    const isNegated = this.#takeWord("!");
    const commands = [this.#command()];
    for (this.#skipSpaces(); this.#text[this.#at] === "|" && this.#text[this.#at + 1] !== "|"; this.#skipSpaces()) {
      this.#at += 1;
      this.#skipBlank();
      commands.push(this.#command());
    }
    return { kind: "pipeline", isNegated, commands };
  }

  #command() {
    this.#skipSpaces();
    if (this.#takeWord("if")) return this.#if();
    if (this.#takeWord("while")) return this.#loop({ isUntil: false });
    if (this.#takeWord("until")) return this.#loop({ isUntil: true });
    if (this.#takeWord("for")) return this.#for();
    if (this.#takeWord("[[")) return this.#test();
    if (this.#takeWord("{")) return this.#withRedirects({ kind: "group", body: this.#bodyUntil("}") });
    if (this.#text[this.#at] === "(") {
      this.#at += 1;
      return this.#withRedirects({ kind: "group", body: this.#bodyUntil(")") });
    }
    return this.#simple();
  }

  #if() {
    const branches = [];
    do {
      const condition = this.#bodyUntil("then");
      branches.push({ condition, body: this.list() });
    } while (this.#takeWord("elif"));
    const otherwise = this.#takeWord("else") ? this.list() : undefined;
    this.#expect("fi");
    return this.#withRedirects({ kind: "if", branches, otherwise });
  }

  #loop({ isUntil }) {
    const condition = this.#bodyUntil("do");
    return this.#withRedirects({ kind: "loop", isUntil, condition, body: this.#bodyUntil("done") });
  }

  #for() {
    this.#skipSpaces();
    const name = this.#plainWord();
    const words = [];
    this.#skipSpaces();
    this.#expect("in");
    for (let word = this.#word(); word !== undefined; word = this.#word()) words.push(word);
    this.#operator();
    this.#skipBlank();
    this.#expect("do");
    return this.#withRedirects({ kind: "for", name, words, body: this.#bodyUntil("done") });
  }

  // The operators of a test are words here.
  #test() {
    const words = [];
    for (;;) {
      this.#skipSpaces();
      if (this.#takeWord("]]"))
        return { kind: "simple", assignments: [], words: [plain("test"), ...words], redirects: [] };
      const operator = /^(?:&&|\|\||[<>()])/u.exec(this.rest())?.[0];
      if (operator !== undefined) {
        this.#at += operator.length;
        words.push(plain({ "&&": "-a", "||": "-o" }[operator] ?? operator));
        continue;
      }
      const word = this.#word();
      if (word === undefined) throw new SyntaxError("[[ without ]]");
      words.push(word);
    }
  }

  #bodyUntil(end) {
    const body = this.list();
    this.#skipBlank();
    this.#expect(end);
    return body;
  }

  #expect(word) {
    this.#skipBlank();
    if (word === ")" && this.#text[this.#at] === ")") {
      this.#at += 1;
      return;
    }
    if (!this.#takeWord(word)) throw new SyntaxError(`expected ${word} near ${JSON.stringify(this.rest())}`);
  }

  #simple() {
    const command = { kind: "simple", assignments: [], words: [], redirects: [] };
    for (;;) {
      const redirect = this.#redirect();
      if (redirect !== undefined) {
        command.redirects.push(redirect);
        continue;
      }
      const assigned =
        command.words.length === 0 ? /^[A-Za-z_]\w*(?==)/u.exec(this.#text.slice(this.#at))?.[0] : undefined;
      if (assigned !== undefined) {
        this.#at += assigned.length + 1;
        command.assignments.push({ name: assigned, word: this.#word() ?? [] });
        continue;
      }
      const word = this.#word();
      if (word === undefined) break;
      command.words.push(word);
    }
    if (command.words.length + command.assignments.length + command.redirects.length === 0)
      throw new SyntaxError(`syntax error near ${JSON.stringify(this.rest())}`);
    return command;
  }

  #withRedirects(command) {
    const redirects = [];
    for (let each = this.#redirect(); each !== undefined; each = this.#redirect()) redirects.push(each);
    return { ...command, redirects };
  }

  #redirect() {
    this.#skipSpaces();
    const found = /^([012]?)(>>|>&|<|>)/u.exec(this.#text.slice(this.#at, this.#at + 3));
    if (found === null) return undefined;
    this.#at += found[0].length;
    this.#skipSpaces();
    const operator = found[2];
    const stream = found[1] === "" ? (operator === "<" ? "0" : "1") : found[1];
    return { stream, operator, target: this.#word() };
  }

  /** Parses a word: parts that are joined. */
  #word() {
    this.#skipSpaces();
    const parts = [];
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || /[\s;&|<>()]/u.test(char)) break;
      if (char === "#" && parts.length === 0) {
        this.#skipComment();
        break;
      }
      parts.push(...this.#part(char));
    }
    return parts.length === 0 ? undefined : parts;
  }

  #part(char) {
    switch (char) {
      case "'": {
        const end = this.#text.indexOf("'", this.#at + 1);
        return [this.#slice(this.#at + 1, end, end + 1)].map((text) => ({ kind: "text", text, isQuoted: true }));
      }
      case '"':
        return this.#quoted();
      case "\\":
        this.#at += 2;
        return this.#text[this.#at - 1] === "\n"
          ? []
          : [{ kind: "text", text: this.#text[this.#at - 1], isQuoted: true }];
      case "$":
        return [this.#expansion(false)];
      case "`":
        return [this.#quotedCommand(false)];
      default: {
        const end = /[\s;&|<>()'"\\$`]/u.exec(this.#text.slice(this.#at))?.index ?? Infinity;
        return [{ kind: "text", text: this.#slice(this.#at, this.#at + end, this.#at + end), isQuoted: false }];
      }
    }
  }

  #slice(from, to, next) {
    if (to < from) throw new SyntaxError("unterminated quote");
    this.#at = Math.min(next, this.#text.length);
    return this.#text.slice(from, to);
  }

  #quoted() {
    this.#at += 1;
    const parts = [{ kind: "text", text: "", isQuoted: true }];
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) throw new SyntaxError("unterminated quote");
      if (char === '"') {
        this.#at += 1;
        return parts;
      }
      if (char === "$") parts.push(this.#expansion(true));
      else if (char === "`") parts.push(this.#quotedCommand(true));
      else {
        const isEscape = char === "\\" && '"\\$`\n'.includes(this.#text[this.#at + 1]);
        this.#at += isEscape ? 2 : 1;
        parts.push({ kind: "text", text: this.#text[this.#at - 1], isQuoted: true });
      }
    }
  }

  #expansion(isQuoted) {
    const rest = this.#text.slice(this.#at);
    if (rest.startsWith("$((")) {
      const end = rest.indexOf("))");
      this.#at += end + 2;
      return { kind: "arithmetic", text: rest.slice(3, end), isQuoted };
    }
    if (rest.startsWith("$(")) {
      this.#at += 2;
      return { kind: "command", body: this.#bodyUntil(")"), isQuoted };
    }
    const braced = /^\$\{([A-Za-z_]\w*|[?#@*]|\d)(?::-([^}]*))?\}/u.exec(rest);
    const [whole, name, fallback] = braced ?? /^\$([A-Za-z_]\w*|[?#@*$]|\d)/u.exec(rest) ?? ["$"];
    this.#at += whole.length;
    return name === undefined
      ? { kind: "text", text: "$", isQuoted }
      : { kind: "variable", name, fallback: fallback ?? "", isQuoted };
  }

  #quotedCommand(isQuoted) {
    const end = this.#text.indexOf("`", this.#at + 1);
    const body = parseScript(this.#slice(this.#at + 1, end, end + 1));
    return { kind: "command", body, isQuoted };
  }

  #plainWord() {
    const [name] = /^\w+/u.exec(this.#text.slice(this.#at)) ?? [""];
    this.#at += name.length;
    return name;
  }

  #peekWord() {
    if (this.#text[this.#at] === ")") return ")";
    return /^[^\s;&|<>()]+/u.exec(this.#text.slice(this.#at))?.[0];
  }

  #takeWord(word) {
    this.#skipSpaces();
    if (this.#peekWord() !== word) return false;
    this.#at += word.length;
    return true;
  }

  #skipSpaces() {
    while (/[ \t]/u.test(this.#text[this.#at] ?? "") || this.#text.startsWith("\\\n", this.#at))
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
  }

  #skipBlank() {
    for (;;) {
      this.#skipSpaces();
      if (this.#text[this.#at] === "#") this.#skipComment();
      else if (/[\n;]/u.test(this.#text[this.#at] ?? "")) this.#at += 1;
      else return;
    }
  }

  #skipComment() {
    while (!this.atEnd() && this.#text[this.#at] !== "\n") this.#at += 1;
  }
}

function plain(text) {
  return [{ kind: "text", text, isQuoted: false }];
}
