import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalidField,
  requiredField,
} from "@kubescaffold/k8s";

/** Returns what is wrong with the name of a signer of certificates. */
export function signerNameErrors(name: string, field: string): readonly FieldError[] {
  if (name === "") return [requiredField(field)];
  const [domain = "", path, ...others] = name.split("/");
  if (path === undefined || others.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalidField(field, name, detail)];
  }
  return [
    ...labelProblems(domain, field, dns1123LabelErrors),
    ...(domain.includes(".")
      ? []
      : [invalidField(field, domain, "should be a domain with at least two segments separated by dots")]),
    ...labelProblems(path, field, dns1123SubdomainErrors),
  ];
}

// The first invalid label is reported alone.
function labelProblems(
  text: string,
  field: string,
  problemsOf: (label: string) => readonly string[],
): readonly FieldError[] {
  const label = text.split(".").find((each) => problemsOf(each).length > 0);
  return label === undefined
    ? []
    : problemsOf(label).map((problem) =>
        invalidField(field, text, `validating label ${JSON.stringify(label)}: ${problem}`),
      );
}
