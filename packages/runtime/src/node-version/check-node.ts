// Imported first, for its effect: what the other modules import fails on an old version of Node.js with errors that do not name the cause.
import { requireNode } from "./require-node.ts";

requireNode(process.versions.node, "@kubescaffold/runtime");
