import path from "node:path";

/** The call of the program. */
export interface Call {
  /** The script that Node runs: `process.argv[1]`. */
  readonly script: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the words that call the program again from where the user called it: `npx kubescaffold`, `npx scaffold`, or `scaffold`.
 *
 * npm scripts find the program in `node_modules`, which the user's shell does not.
 */
export function calledAs({ script, variables }: Call): string {
  if (variables["npm_command"] === "exec") {
    const [word = ""] = (variables["npm_lifecycle_script"] ?? "").replaceAll(/["']/gu, "").split(" ");
    return `npx ${nameIn(word) ?? nameIn(script) ?? "kubescaffold"}`;
  }
  const isOwn = variables["npm_lifecycle_event"] !== undefined || script.includes(`node_modules${path.sep}`);
  return isOwn ? "npx scaffold" : (nameIn(script) ?? "npx scaffold");
}

function nameIn(script: string): string | undefined {
  const name = path.basename(script);
  return name === "scaffold" || name === "kubescaffold" ? name : undefined;
}
