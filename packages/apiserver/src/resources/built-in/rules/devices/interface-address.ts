import { type FieldError, goQuote, invalidField } from "@kubescaffold/k8s";

import { addressFamily, canonicalAddress } from "../../../address-ranges.ts";
import { isAddressRange } from "../checks/field-checks.ts";

const CIDR_DETAIL = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";

/** Returns what is wrong with the address of an interface: an address with the length of its network, in canonical form. */
export function interfaceAddressErrors(field: string, value: string): readonly FieldError[] {
  if (!isAddressRange(value)) return [invalidField(field, value, CIDR_DETAIL)];
  const [address = "", bits = ""] = value.split("/");
  const plain = canonicalAddress(address);
  const isMapped = addressFamily(address) === 6 && addressFamily(plain) === 4;
  const canonical = `${plain}/${isMapped ? Number(bits) - 96 : Number(bits)}`;
  return value === canonical ? [] : [invalidField(field, value, `must be in canonical form (${goQuote(canonical)})`)];
}
