/** What a registry wants to know of a user, and where a token is to be had. */
export type Challenge =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer"; readonly realm: string; readonly service?: string; readonly scopes: readonly string[] };

/** Reads the header WWW-Authenticate, or returns nothing when it asks for neither password nor token. */
export function parseChallenge(header: string): Challenge | undefined {
  const [, scheme = "", rest = ""] = /^\s*(\w+)(?!\w)(.*)$/su.exec(header) ?? [];
  if (/^basic$/iu.test(scheme)) return { kind: "basic" };
  if (!/^bearer$/iu.test(scheme)) return undefined;
  const parameters = new Map(
    [...rest.matchAll(/(?<![\w-])([\w-]+)=(?:"((?:\\.|[^"\\])*)"|([^\s,]+))/gu)].map(([, name = "", quoted, plain]) => [
      name.toLowerCase(),
      (quoted ?? plain ?? "").replaceAll(/\\(.)/gu, "$1"),
    ]),
  );
  const realm = parameters.get("realm");
  if (realm === undefined || !URL.canParse(realm)) return undefined;
  const service = parameters.get("service");
  const scopes = (parameters.get("scope") ?? "").split(" ").filter(Boolean);
  return { kind: "bearer", realm, ...(service === undefined ? {} : { service }), scopes };
}
