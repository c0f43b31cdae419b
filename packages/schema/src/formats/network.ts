import { isIp, isIpWithColons } from "./ip-address.ts";

/** Reports whether a text is a host name: labels of at most 63 bytes, at most 255 in all; a single label may have a dash in second place only. */
export function isHostname(text: string): boolean {
  if (text.length > 255 || byteLength(text) > 255) {
    return false;
  }
  // Go reads half of a surrogate pair as the replacement character, which is a symbol.
  const labels = text.replaceAll(/\p{Cs}/gu, "\uFFFD").split(".");
  const last = labels.pop() ?? "";
  if (![...labels, last].every((label) => byteLength(label) <= 63)) {
    return false;
  }
  labelPatterns ??= compileLabelPatterns();
  const { onlyLabel, label: anyLabel, lastLabel } = labelPatterns;
  return labels.length === 0
    ? onlyLabel.test(last)
    : labels.every((label) => anyLabel.test(label)) && lastLabel.test(last);
}

interface LabelPatterns {
  readonly onlyLabel: RegExp;
  readonly label: RegExp;
  readonly lastLabel: RegExp;
}

let labelPatterns: LabelPatterns | undefined;

// Literals would be compiled with the module, which takes as long as 40 kB of other code.
function compileLabelPatterns(): LabelPatterns {
  return {
    onlyLabel: new RegExp("^[a-zA-Z0-9\\p{S}\\p{L}]-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62}$", "u"),
    label: new RegExp("^[a-zA-Z0-9\\p{S}\\p{L}](?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?$", "u"),
    lastLabel: new RegExp("^[a-zA-Z\\p{L}]{2,63}$", "u"),
  };
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Reports whether a text is an IP address that is written with dots; leading zeros are decimal. */
export function isIpv4(text: string): boolean {
  return text.includes(".") && isIp(text, "sloppy");
}

/** Reports whether a text is an IP address that is written with colons. */
export function isIpv6(text: string): boolean {
  return text.includes(":") && isIpWithColons(text, "strict");
}

/** Reports whether a text is an IP address with a prefix length. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  const [address, prefix] = [text.slice(0, slash), text.slice(slash + 1)];
  return (
    slash >= 0 &&
    /^\d+$/.test(prefix) &&
    Number(prefix) <= (address.includes(":") ? 128 : 32) &&
    isIp(address, "sloppy")
  );
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
  if (scheme === null || !withoutQuery.startsWith("//")) {
    return areEscapesValid(withoutQuery);
  }
  const authority = withoutQuery.slice(2).split("/", 1)[0] ?? "";
  return areEscapesValid(withoutQuery.slice(2 + authority.length)) && isAuthority(authority);
}

/** Returns the host of an absolute URI with its port and user, as Go's `url.ParseRequestURI` reads it; undefined if it has no scheme. */
export function requestUrlHost(text: string): string | undefined {
  if (!isRequestUri(text)) return undefined;
  const authority = /^[a-zA-Z][a-zA-Z0-9+.-]*:(?:\/\/([^/?]*))?/.exec(text);
  return authority === null ? undefined : (authority[1] ?? "").replace(/^.*@/, "");
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) {
      return true;
    }
  }
  return false;
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
  const open = host.lastIndexOf("[");
  if (open > 0) {
    return false;
  }
  if (open === 0) {
    const close = host.lastIndexOf("]");
    return close > 0 && isPort(host.slice(close + 1)) && isBracketedAddress(host.slice(1, close));
  }
  const colon = host.lastIndexOf(":");
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host, /[89a-fA-F][0-9a-fA-F]|25/y);
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

// An address with colons; behind `%25`, the escape of a percent sign, follows a zone.
function isBracketedAddress(text: string): boolean {
  const zone = text.indexOf("%25");
  if (zone < 0) {
    return isIpWithColons(text, "strict");
  }
  const isZoneValid = isHostText(text.slice(zone), ESCAPES_IN_A_ZONE) && text.length > zone + 3;
  return isZoneValid && isIpWithColons(text.slice(0, zone), "strict");
}

// Escapes of a space, of a percent sign, of bytes above 0x80, and of characters that a host may hold anyway.
const ESCAPES_IN_A_ZONE =
  /20|2[1245-9a-eA-E]|3[0-9a-eA-E]|4[1-9a-fA-F]|5[0-9abdfABDF]|6[1-9a-fA-F]|7[0-9aeAE]|[89a-fA-F][0-9a-fA-F]/y;

// Below 0x80 Go's host holds only these characters; a percent sign must start an escape.
function isHostText(text: string, escapes: RegExp): boolean {
  for (let at = 0; at < text.length;) {
    if (text[at] === "%") {
      escapes.lastIndex = at + 1;
      if (!escapes.test(text)) {
        return false;
      }
      at += 3;
    } else {
      if (!/[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"\u0080-\uffff]/.test(text.charAt(at))) {
        return false;
      }
      at += 1;
    }
  }
  return true;
}
