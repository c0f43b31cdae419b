/** The rule about zeros in front of numbers: Go refuses them (`strict`); servers accept them in addresses they have always accepted (`sloppy`). */
export type LeadingZeros = "strict" | "sloppy";

/** Reports whether a text is an IP address, with dots or with colons, without a zone. */
export function isIp(text: string, zeros: LeadingZeros = "strict"): boolean {
  return text.includes(":") ? isIpWithColons(text, zeros) : isIpWithDots(text, zeros);
}

const OCTET: Readonly<Record<LeadingZeros, RegExp>> = { strict: /^(?:0|[1-9]\d{0,2})$/, sloppy: /^\d+$/ };

function isIpWithDots(text: string, zeros: LeadingZeros): boolean {
  const parts = text.split(".", 5);
  return parts.length === 4 && parts.every((part) => OCTET[zeros].test(part) && Number(part) <= 255);
}

const GROUP: Readonly<Record<LeadingZeros, RegExp>> = { strict: /^[0-9a-fA-F]{1,4}$/, sloppy: /^[0-9a-fA-F]+$/ };

/** Reports whether a text is an IP address of eight groups, two of which may be written with dots, and `::` stands for one or more. */
export function isIpWithColons(text: string, zeros: LeadingZeros): boolean {
  const halves = text.split("::", 3);
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":", 9)));
  const last = groups.at(-1);
  const hasOctets = last?.includes(".") === true && halves.at(-1) !== "";
  const plain = hasOctets ? groups.slice(0, -1) : groups;
  const count = plain.length + (hasOctets ? 2 : 0);
  return (
    (halves.length === 2 ? count < 8 : count === 8) &&
    plain.every((group) => GROUP[zeros].test(group) && Number.parseInt(group, 16) <= 0xffff) &&
    (!hasOctets || isIpWithDots(last, zeros))
  );
}
