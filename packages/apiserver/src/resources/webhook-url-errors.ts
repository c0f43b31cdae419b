import { invalidField as invalid, type FieldError } from "@kubescaffold/k8s";

const URL_FORM = "; desired format: https://host[/path]";

/** Returns what is wrong with the URL of a webhook. */
export function webhookUrlErrors(text: string, field: string): readonly FieldError[] {
  const { scheme = "", authority = "", query = "", fragment = "" } = urlParts(text);
  const [user, host] = authority.includes("@") ? authority.split("@", 2) : [undefined, authority];
  return [
    ...(scheme === "https" ? [] : [invalid(field, scheme, `'https' is the only allowed URL scheme${URL_FORM}`)]),
    ...(host === "" ? [invalid(field, "", `host must be specified${URL_FORM}`)] : []),
    ...(user === undefined ? [] : [invalid(field, user, "user information is not permitted in the URL")]),
    ...(fragment === "" ? [] : [invalid(field, fragment, "fragments are not permitted in the URL")]),
    ...(query === "" ? [] : [invalid(field, query, "query parameters are not permitted in the URL")]),
  ];
}

interface UrlParts {
  readonly scheme?: string | undefined;
  readonly authority?: string | undefined;
  readonly query?: string | undefined;
  readonly fragment?: string | undefined;
}

function urlParts(text: string): UrlParts {
  const [, beforeFragment = "", fragment] = /^([^#]*)(?:#([^]*))?$/u.exec(text) ?? [];
  const [, beforeQuery = "", query] = /^([^?]*)(?:\?([^]*))?$/u.exec(beforeFragment) ?? [];
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/iu.exec(beforeQuery)?.[0];
  const rest = scheme === undefined ? beforeQuery : beforeQuery.slice(scheme.length + 1);
  return { scheme, authority: /^\/\/([^/]*)/u.exec(rest)?.[1], query, fragment };
}
