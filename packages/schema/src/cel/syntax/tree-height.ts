import type { ASTNode } from "@marcbachmann/cel-js";

/** Says whether a tree is higher than a limit, without recursion; chains of `&&` and `||` do not count, as they are balanced later. */
export function isHigherThan(root: ASTNode, limit: number): boolean {
  const open: (readonly [ASTNode, number])[] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, height] = next;
    if (height > limit) return true;
    for (const part of partsOf(node)) {
      const isSameChain =
        part.op === node.op && (part.op === "&&" || part.op === "||" || part.op === "!_" || part.op === "-_");
      open.push([part, isSameChain ? height : height + 1]);
    }
  }
  return false;
}

function partsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
      return [];
    case "!_":
    case "-_":
      return [node.args];
    case ".":
    case ".?":
      return [node.args[0]];
    case "call":
      return node.args[1];
    case "rcall":
      return [node.args[1], ...node.args[2]];
    case "map":
      return node.args.flat();
    default:
      return node.args;
  }
}
