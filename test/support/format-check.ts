import { format } from "oxfmt";
import picomatch from "picomatch";

/** Returns the files of a project that its formatter would change, by the settings that it has, each with the first line that would. */
export async function unformatted(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { ignorePatterns = [], ...options } = JSON.parse(files[".oxfmtrc.json"] ?? "{}") as {
    readonly ignorePatterns?: string[];
  };
  const isIgnored = picomatch(ignorePatterns, { dot: true });
  const found: string[] = [];
  for (const [file, text] of Object.entries(files)) {
    if (isIgnored(file) || !/\.(?:ts|mjs|json)$/u.test(file)) continue;
    const { code, errors } = await format(file, text, options);
    if (errors.length > 0) found.push(`${file}: ${errors.map(({ message }) => message).join("; ")}`);
    else if (code !== text) found.push(`${file}: ${firstDifference(text, code)}`);
  }
  return found;
}

function firstDifference(text: string, formatted: string): string {
  const [lines, wanted] = [text.split("\n"), formatted.split("\n")];
  const at = wanted.findIndex((line, index) => line !== lines[index]);
  return `line ${at + 1} is ${JSON.stringify(lines[at])}, not ${JSON.stringify(wanted[at])}`;
}
