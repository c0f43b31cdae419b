const HEADER = /^\/\*(?!\*)[^]*?\*\/\s*/u;

/** Returns the license at the top of a source with the empty lines below it, or nothing; a comment that documents what follows is none. */
export function licenseHeader(content: string): string {
  return HEADER.exec(content)?.[0] ?? "";
}

/** Returns a source without its license: what it says, whatever license the project had when it was made. */
export function withoutLicenseHeader(content: string): string {
  return content.slice(licenseHeader(content).length);
}
