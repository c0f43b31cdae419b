import type { BlobOutcome } from "../../../image/registry/push-image.ts";
import type { Invocation } from "../../command/command.ts";

/** What an image became, or would. */
export interface ImageReport {
  readonly base: { readonly name: string; readonly digest: string };
  readonly names: readonly string[];
  readonly platforms: readonly { readonly platform: string; readonly digest?: string }[];
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly managerPath: string;
  readonly digest?: string;
  readonly layer?: { readonly digest: string; readonly size: number; readonly diffId: string };
  /** How many packages are in the bundle. */
  readonly packages?: number;
  /** Are paths as they were given. */
  readonly written: readonly string[];
  readonly pushed: readonly PushedImage[];
}

/** A name that an image was pushed under. */
export interface PushedImage {
  readonly name: string;
  readonly blobs: Readonly<Record<BlobOutcome, number>>;
  /** What was signed, when anything was. */
  readonly signed?: "image" | "image and provenance";
}

/** Prints what an image became, as lines or as JSON. */
export function reportImage(invocation: Invocation, report: ImageReport): void {
  const { terminal, typed } = invocation;
  const dryRun = invocation.isDryRun;
  if (invocation.printsJson) {
    terminal.writeOut(`${JSON.stringify({ command: typed, dryRun, ...report }, undefined, 2)}\n`);
    return;
  }
  terminal.writeOut(
    linesOf(report)
      .map(([name, value]) => `${name.padEnd(9)} ${value}\n`)
      .join(""),
  );
  if (dryRun) terminal.writeError("dry run: nothing was built, written, or pushed\n");
}

function linesOf(report: ImageReport): readonly (readonly [string, string])[] {
  const { base, platforms, layer, digest, user, entrypoint, packages, written, pushed } = report;
  return [
    ["base", `${base.name} ${base.digest}`],
    ["platforms", platforms.map(({ platform }) => platform).join(", ")],
    ["starts", `${entrypoint.join(" ")} as ${user === "" ? "root" : user}`],
    ...(layer === undefined ? [] : [["layer", `${layer.digest} ${kibibytes(layer.size)}`] as const]),
    ...(packages === undefined ? [] : [["contains", `${packages} packages`] as const]),
    ...(digest === undefined ? [] : [["image", digest] as const]),
    ...written.map((file) => ["wrote", file] as const),
    ...pushed.map(({ name, blobs }) => ["pushed", `${name} (${outcomes(blobs)})`] as const),
    ...pushed.flatMap(({ name, signed }) => (signed === undefined ? [] : [["signed", `${name} (${signed})`] as const])),
  ];
}

function outcomes({ uploaded, mounted, existed }: Readonly<Record<BlobOutcome, number>>): string {
  return `${uploaded} blobs uploaded, ${mounted} mounted, ${existed} already present`;
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
