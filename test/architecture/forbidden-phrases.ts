/** A phrase that paraphrases a term of the field, and the term. */
export interface ForbiddenPhrase {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** The phrases that no text of the repository uses; each pattern matches the paraphrase only, not the words in another sense. */
export const FORBIDDEN_PHRASES: readonly ForbiddenPhrase[] = [
  { pattern: /\banew\b/iu, instead: "regenerate, overwrite, or recreate" },
  { pattern: /\b(?:is|are|was|were|be|been) made again\b/iu, instead: "regenerated or recreated" },
  { pattern: /\bmend(?:s|ed|ing)?\b/iu, instead: "fix or repair" },
  { pattern: /\btake(?:s|n)? out of\b/iu, instead: "remove from" },
  { pattern: /\b(?:take|takes|taken|took) away\b/iu, instead: "remove or uninstall" },
  { pattern: /\bputs? together\b/iu, instead: "assemble" },
  { pattern: /\bperson at (?:a|the) (?:terminal|prompt)\b/iu, instead: "the user; interactive" },
  { pattern: /\b(?:is|are|was|were|be) told of\b/iu, instead: "is notified of or is reported" },
  { pattern: /\blook(?:s|ing)? for mistakes\b/iu, instead: "lint or check" },
  { pattern: /\bmistakes?\b/iu, instead: "error" },
  { pattern: /\b(?:someone|somebody) else's\b/iu, instead: "external or third-party" },
  { pattern: /\b(?:a|an) [\w-]+ of (?:its|their|your|our) own\b/iu, instead: "its own …, your own …" },
  { pattern: /\bof yours\b/iu, instead: "your" },
  { pattern: /\ba further one\b/iu, instead: "another or an additional" },
  { pattern: /\b(?:lost|has|have|loses?) the lead\b/iu, instead: "holds or lost its lease" },
  { pattern: /\bthe (?:one|only) door\b/iu, instead: "the only module that imports …" },
  { pattern: /\bwhat (?:it is|they are|\w+ is) made of\b/iu, instead: "contents or inputs" },
  { pattern: /\b(?:bring|brings|brought) (?:\w+ ){0,3}up to date\b/iu, instead: "upgrade" },
  { pattern: /\bways? out\b/iu, instead: "fix or how to fix it" },
  {
    pattern: /\bstands? (?:in (?:a|the) (?:file|source|template|manifest)|at the top|above|below|beside)\b/iu,
    instead: "is defined in or is in",
  },
  { pattern: /\blies in (?:a|the) (?:file|folder)\b/iu, instead: "is in" },
  { pattern: /\bwhatever (?:this does|happens)\b/iu, instead: "regardless" },
  { pattern: /\bheld to upstream\b/iu, instead: "verified against upstream" },
  { pattern: /\b(?:spoken about|speaks? of)\b/iu, instead: "mentions or describes" },
  { pattern: /\bthose there are\b/iu, instead: "available …" },
  {
    pattern:
      /\bgives? (?:up (?:a|the|its)|(?:a|the|its)) (?:lease|lock) up\b|\bgives? up (?:a|the|its) (?:lease|lock)\b/iu,
    instead: "release",
  },
  { pattern: /\bwrong use\b/iu, instead: "invalid usage" },
  {
    pattern: /(?<!there )\b(?:is|are) no (?:JSON|YAML|text|number|map|Status)\b(?! (?:without|in|of|for))/u,
    instead: "is not a string, is not JSON",
  },
  {
    pattern: /\b(?:is|are) told (?:apart|by|to|where|which|why)\b|\bunless (?:\w+ (?:is|are) )?told\b/iu,
    instead: "is configured, is reported, or is distinguished",
  },
  { pattern: /\bsomebody else\b/iu, instead: "another user" },
  { pattern: /\bnone at all\b/iu, instead: "none" },
];
