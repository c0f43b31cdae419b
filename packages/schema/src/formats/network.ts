const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

/** Reports whether a text is a host name: labels of at most 63 bytes, at most 255 in all. */
export function isHostname(text: string): boolean {
  return byteLength(text) <= 255 && HOSTNAME.test(text) && text.split(".").every((label) => byteLength(label) <= 63);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Reports whether a text is an IP address that is written with dots; leading zeros are decimal. */
export function isIpv4(text: string): boolean {
  return text.includes(".") && isIp(text);
}

/** Reports whether a text is an IP address that is written with colons. */
export function isIpv6(text: string): boolean {
  return text.includes(":") && isSixGroups(text, STRICT_OCTETS);
}

/** Reports whether a text is an IP address with a prefix length. */
export function isCidr(text: string): boolean {
  const match = /^([^/]+)\/(\d{1,9})$/.exec(text);
  if (match === null) {
    return false;
  }
  const [, address = "", prefix = ""] = match;
  return Number(prefix) <= (address.includes(":") ? 128 : 32) && isIp(address);
}

const STRICT_OCTETS = /^(0|[1-9]\d{0,2})$/;
const SLOPPY_OCTETS = /^\d+$/;

function isIp(text: string): boolean {
  return text.includes(":") ? isSixGroups(text, SLOPPY_OCTETS) : isFourOctets(text, SLOPPY_OCTETS);
}

function isFourOctets(text: string, octets: RegExp): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => octets.test(part) && Number(part) <= 255);
}

function isSixGroups(text: string, octets: RegExp): boolean {
  const halves = text.split("::");
  if (halves.length > 2) {
    return false;
  }
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  const hasOctets = last?.includes(".") === true && halves.at(-1) !== "";
  const plain = hasOctets ? groups.slice(0, -1) : groups;
  const count = plain.length + (hasOctets ? 2 : 0);
  const isWellFormed =
    plain.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) && (!hasOctets || isFourOctets(last, octets));
  return isWellFormed && (halves.length === 2 ? count < 8 : count === 8);
}

/** Reports whether a text is a MAC address of 6, 8 or 20 bytes, in the forms that Go reads. */
export function isMac(text: string): boolean {
  return (
    /^[0-9a-fA-F]{2}(?:(?::[0-9a-fA-F]{2}){5}|(?::[0-9a-fA-F]{2}){7}|(?::[0-9a-fA-F]{2}){19})$/.test(text) ||
    /^[0-9a-fA-F]{2}(?:(?:-[0-9a-fA-F]{2}){5}|(?:-[0-9a-fA-F]{2}){7}|(?:-[0-9a-fA-F]{2}){19})$/.test(text) ||
    /^[0-9a-fA-F]{4}(?:(?:\.[0-9a-fA-F]{4}){2}|(?:\.[0-9a-fA-F]{4}){3}|(?:\.[0-9a-fA-F]{4}){9})$/.test(text)
  );
}

/** Reports whether a text is an absolute URI or an absolute path, as Go's `url.ParseRequestURI` reads it. */
export function isRequestUri(text: string): boolean {
  if (text === "" || hasControlCharacter(text)) {
    return false;
  }
  if (text === "*") {
    return true;
  }
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  const rest = scheme === null ? text : text.slice(scheme[0].length);
  if (!rest.startsWith("/")) {
    return scheme !== null;
  }
  const withoutQuery = rest.split("?", 1)[0] ?? "";
  const hasAuthority = withoutQuery.startsWith("//") && (scheme !== null || !withoutQuery.startsWith("///"));
  const authority = hasAuthority && scheme !== null ? (withoutQuery.slice(2).split("/", 1)[0] ?? "") : "";
  const path = authority === "" ? withoutQuery : withoutQuery.slice(2 + authority.length);
  return areEscapesValid(path) && (authority === "" || isAuthority(authority));
}

function hasControlCharacter(text: string): boolean {
  return Array.from(text).some((char) => char < " " || char === "\x7f");
}

function areEscapesValid(text: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(text);
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf("@");
  const userInfo = at < 0 ? "" : authority.slice(0, at);
  const host = authority.slice(at + 1);
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo) && areEscapesValid(userInfo) && isHost(host);
}

function isHost(host: string): boolean {
  if (host.startsWith("[")) {
    const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host);
    return bracketed !== null && isSixGroups((bracketed[1] ?? "").replace(/%25.+$/, ""), STRICT_OCTETS);
  }
  const colon = host.indexOf(":");
  const isPortValid = colon < 0 || /^:\d*$/.test(host.slice(host.lastIndexOf(":")));
  // Below 0x80 Go's host may hold only these; a percent sign must start the escape of a byte above it.
  const isNameValid = /^[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}]*$/u.test(
    host.replaceAll(/%[89a-fA-F][0-9a-fA-F]/g, ""),
  );
  return isPortValid && isNameValid;
}
