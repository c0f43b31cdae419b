import { createHash } from "node:crypto";

import { timeText } from "./build-image.ts";
import type { BundledPackage } from "./bundled-packages.ts";

/** What a list of contents is written about. */
export interface SbomFacts {
  /** Is the program that was bundled. */
  readonly name: string;
  readonly version: string;
  readonly license: string | undefined;
  /** Is the bundle itself. */
  readonly bundle: Uint8Array;
  readonly packages: readonly BundledPackage[];
  readonly createdAt: Date;
  readonly tool: string;
}

const UNKNOWN = "NOASSERTION";
const ROOT_ID = "SPDXRef-Package-manager";

/** Prints an SPDX 2.3 document about a bundle and the packages inside. Guarantees: the same facts give the same bytes. */
export function renderSpdx(facts: SbomFacts): Uint8Array {
  const { name, version, bundle, packages, createdAt, tool } = facts;
  const checksum = createHash("sha256").update(bundle).digest("hex");
  const described = packages.map((each) => packageEntry(each));
  const document = {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name,
    documentNamespace: `https://spdx.org/spdxdocs/${encodeURIComponent(name)}-${checksum}`,
    creationInfo: { created: timeText(createdAt), creators: [`Tool: ${tool}`] },
    packages: [
      {
        ...packageFields({ name, version, license: facts.license, homepage: undefined }),
        SPDXID: ROOT_ID,
        primaryPackagePurpose: "APPLICATION",
        packageFileName: "manager.mjs",
        checksums: [{ algorithm: "SHA256", checksumValue: checksum }],
      },
      ...described,
    ],
    relationships: [
      relationship("SPDXRef-DOCUMENT", "DESCRIBES", ROOT_ID),
      ...described.map(({ SPDXID }) => relationship(ROOT_ID, "CONTAINS", SPDXID)),
    ],
  };
  return Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`);
}

interface PackageEntry {
  readonly SPDXID: string;
  readonly primaryPackagePurpose: string;
  readonly externalRefs: readonly object[];
}

function packageEntry(each: BundledPackage): PackageEntry {
  return {
    ...packageFields(each),
    SPDXID: `SPDXRef-Package-npm-${idText(`${each.name}-${each.version}`)}`,
    primaryPackagePurpose: "LIBRARY",
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: packageUrl(each) }],
  };
}

function packageFields({ name, version, license, homepage }: BundledPackage): object {
  return {
    name,
    ...(version === "" ? {} : { versionInfo: version }),
    downloadLocation: UNKNOWN,
    filesAnalyzed: false,
    ...(homepage === undefined ? {} : { homepage }),
    licenseConcluded: UNKNOWN,
    licenseDeclared: license !== undefined && isLicenseExpression(license) ? license : UNKNOWN,
    copyrightText: UNKNOWN,
  };
}

function packageUrl({ name, version }: BundledPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`;
}

// Identifiers have letters, digits, dots and hyphens; what else a name has must not make two of them one.
function idText(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9.]/gu, (letter) => (letter === "-" ? "-" : `.${letter.codePointAt(0)}.`));
}

function isLicenseExpression(text: string): boolean {
  return text !== "UNLICENSED" && /^\(*[\w.+-]+\)*(?: (?:AND|OR|WITH) \(*[\w.+-]+\)*)*$/u.test(text);
}

function relationship(from: string, kind: string, to: string): object {
  return { spdxElementId: from, relationshipType: kind, relatedSpdxElement: to };
}
