/** The version of this program, as generated manifests name it. */
export const TOOL_VERSION = "v0.1.0";
