// Explains each recorded symbol with a docstring or a rule, and reports the symbols without an explanation.
const STATUSES = ["built", "form", "unneeded", "missing"];

export function explain({ recorded, rules, mirrors, publicNames }) {
  const problems = [];
  const packages = [...recordedPackages(recorded)].map(([key, symbols]) => {
    const [module, folder] = key.split(" ");
    const own = (rules[module]?.[folder] ?? []).map(([status, patterns, here, note]) => ({
      status,
      patterns: patterns.split(" "),
      here,
      note,
      symbols: [],
    }));
    const mirrored = mirrors.filter((each) => each.module === module && each.folder === folder);
    const rows = new Map();
    for (const symbol of symbols) {
      const names = [...new Set(mirrored.filter((each) => each.symbol === symbol).map(({ name }) => `\`${name}\``))];
      const here = names.join(", ");
      const row =
        names.length > 0
          ? { status: "built", here, note: "", symbols: [] }
          : own.find(({ patterns }) => patterns.some((each) => matches(symbol, each)));
      const rowKey = row?.patterns === undefined ? here : row;
      if (row === undefined) {
        if (!symbol.includes(".")) problems.push(`no explanation of ${module} ${folder} ${symbol}`);
        continue;
      }
      if (!rows.has(rowKey)) rows.set(rowKey, row);
      rows.get(rowKey).symbols.push(symbol);
    }
    for (const row of own) {
      if (!STATUSES.includes(row.status)) problems.push(`${key}: unknown status ${row.status}`);
      if (row.symbols.length === 0) problems.push(`${key}: a rule without symbols: ${row.here} ${row.note}`);
      problems.push(...unknownNames(row.here, publicNames).map((name) => `${key}: ${name} is not exported`));
    }
    return { module, folder, rows: [...rows.values()] };
  });
  return { packages: packages.map((each) => ({ ...each, counts: countsOf(each.rows) })), problems };
}

export function countsOf(rows) {
  return STATUSES.map((status) =>
    rows.filter((row) => row.status === status).reduce((sum, { symbols }) => sum + symbols.length, 0),
  );
}

function recordedPackages(recorded) {
  const packages = new Map();
  for (const line of recorded.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    const [module, folder, symbol] = line.split(" ");
    const key = `${module} ${folder}`;
    packages.set(key, [...(packages.get(key) ?? []), symbol]);
  }
  return packages;
}

// A method belongs to the row of its type: `*` does not match a dot.
export function matches(symbol, pattern) {
  const [first = "", ...others] = pattern.split("*");
  if (symbol.includes(".") !== pattern.includes(".") || !symbol.startsWith(first)) return false;
  const last = others.pop();
  if (last === undefined) return symbol === first;
  let index = first.length;
  for (const part of others) {
    const found = symbol.indexOf(part, index);
    if (found < 0) return false;
    index = found + part.length;
  }
  return symbol.length - last.length >= index && symbol.endsWith(last);
}

function unknownNames(here, publicNames) {
  return [...here.matchAll(/`(?<name>[\w.]+)`/gu)]
    .map(({ groups }) => groups.name)
    .filter((name) => !publicNames.has(name) && !publicNames.has(name.slice(0, name.lastIndexOf("."))));
}
