const LONGEST = 128;

/** Returns the name of whoever writes: the one that the request states, or what its user agent begins with. */
export function managerName(fieldManager: unknown, userAgent: string | undefined): string {
  if (typeof fieldManager === "string" && fieldManager !== "") return fieldManager;
  const [product = ""] = (userAgent ?? "").split("/");
  return product.replaceAll(/\p{C}/gu, "").slice(0, LONGEST);
}
