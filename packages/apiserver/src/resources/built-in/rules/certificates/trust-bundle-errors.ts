import { X509Certificate } from "node:crypto";

import {
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  maskTrailingDash,
  tooLongField,
} from "@kubescaffold/k8s";

import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { type PemBlock, pemBlocks } from "../checks/pem-blocks.ts";
import { signerNameErrors } from "../checks/signer-name-errors.ts";

/** Checks of ClusterTrustBundles, whose names begin with those of their signers. */
export const trustBundleChecks: BuiltInChecks = {
  validate: (bundle, _context, old) => bundleErrors(bundle, old),
};

const SIGNER = "spec.signerName";
const GENERATED_NAME = "metadata.generateName";
const BUNDLE = "spec.trustBundle";
const MOST_BYTES = 1024 * 1024;

function bundleErrors(bundle: ApiObject, old: ApiObject | undefined): readonly FieldError[] {
  const spec = objectIn(bundle, "spec");
  const former = objectIn(old, "spec");
  const [signer, text] = [textIn(spec, "signerName"), textIn(spec, "trustBundle")];
  const { name = "", generateName = "" } = bundle.metadata;
  return [
    ...(generateName === "" ? [] : nameErrors(GENERATED_NAME, generateName, signer)),
    ...nameErrors("metadata.name", name, signer),
    ...(signer === "" ? [] : signerNameErrors(signer, SIGNER)),
    ...(former !== undefined && textIn(former, "trustBundle") === text ? [] : anchorErrors(text)),
    ...(former !== undefined && textIn(former, "signerName") !== signer
      ? [invalidField(SIGNER, signer, "field is immutable")]
      : []),
  ];
}

function nameErrors(field: string, name: string, signer: string): readonly FieldError[] {
  const invalid = (problem: string): FieldError => invalidField(field, name, problem);
  if (signer === "" && name.includes(":"))
    return [invalid('ClusterTrustBundle without signer name must not have ":" in its name')];
  const prefix = signer === "" ? "" : `${signer.replaceAll("/", ":")}:`;
  if (!name.startsWith(prefix))
    return [invalid(`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`)];
  const rest = name.slice(prefix.length);
  return dns1123SubdomainErrors(field === GENERATED_NAME ? maskTrailingDash(rest) : rest).map(invalid);
}

// What is wrong with single entries comes before what is wrong with all of them.
function anchorErrors(text: string): readonly FieldError[] {
  if (Buffer.byteLength(text) > MOST_BYTES) return [tooLongField(BUNDLE, MOST_BYTES)];
  const invalid = (problem: string): FieldError => invalidField(BUNDLE, "<value omitted>", problem);
  const blocks = pemBlocks(text);
  const problems = blocks.flatMap((block, index) => {
    const problem = blockProblem(block);
    return problem === undefined ? [] : [invalid(`entry ${String(index)} ${problem}`)];
  });
  if (problems.length > 0) return problems;
  if (blocks.length === 0) return [invalid("at least one trust anchor must be provided")];
  const places = new Map<string, number[]>();
  for (const [index, { bytes }] of blocks.entries()) {
    const key = bytes.toString("base64");
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return [...places.values()]
    .filter((indices) => indices.length > 1)
    .map((indices) => invalid(`duplicate trust anchor (indices [${indices.join(" ")}])`));
}

function blockProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== "CERTIFICATE") return `has bad block type: ${type}`;
  if (hasHeaders) return "has PEM block headers";
  try {
    return new X509Certificate(bytes).ca ? undefined : "does not have the CA bit set";
  } catch {
    return "does not parse as X.509";
  }
}
