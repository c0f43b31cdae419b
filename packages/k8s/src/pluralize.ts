/**
 * Returns the plural of a word by flect's rules, which controller-gen and kubebuilder use for resource names.
 *
 * The case is kept as far as flect keeps it; {@link resourceNameOf} is what names a resource.
 */
export function pluralize(word: string): string {
  const last = lastPart(word);
  if (last === "") return "";
  const irregular = irregularPlural(word, last);
  if (irregular !== undefined) return irregular;
  const rule = rules().find(([suffix]) => last.endsWith(suffix));
  if (rule !== undefined) return replaceEnd(word, last, last.slice(0, last.length - rule[0].length) + rule[1]);
  return last.toLowerCase().endsWith("s") ? word : `${word}s`;
}

/**
 * Returns the plural resource name that controller-gen gives to a kind: its plural in lower case.
 *
 * @example
 * resourceNameOf("NetworkPolicy"); // "networkpolicies"
 */
export function resourceNameOf(kind: string): string {
  return pluralize(kind).toLowerCase();
}

function irregularPlural(word: string, last: string): string | undefined {
  const { pluralOf, plurals } = dictionary();
  const whole = pluralOf.get(word);
  if (whole !== undefined) return whole;
  const lower = last.toLowerCase();
  if (plurals.has(word) || plurals.has(lower)) return word;
  const plural = pluralOf.get(lower);
  if (plural === undefined) return undefined;
  return replaceEnd(word, last, last === capitalize(last) ? capitalize(plural) : plural);
}

// Where the last part is not how the word ends (an acronym in other letters), the plural is put behind the word.
function replaceEnd(word: string, end: string, replacement: string): string {
  return (word.endsWith(end) ? word.slice(0, word.length - end.length) : word) + replacement;
}

function capitalize(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}

function lastPart(word: string): string {
  const trimmed = word.trim();
  if (isAcronym(trimmed)) return trimmed.toUpperCase();
  // A word of one part, as most are.
  if (/^[a-z0-9]+$/u.test(trimmed)) return trimmed;
  let part = "";
  let last = "";
  let wasUpper = false;
  const close = (next: string): void => {
    const bare = part.replace(/^[\s_:\-/]+|(?<![\s_:\-/])[\s_:\-/]+$/gu, "");
    if (bare !== "") last = isAcronym(bare) ? bare.toUpperCase() : bare;
    part = next;
  };
  for (const character of trimmed) {
    const isUpper = isUpperCase(character);
    if (/[\s_:\-/]/u.test(character)) close(character);
    else if (isUpper && (!wasUpper || isAcronym(part))) close(character);
    else if (isWordCharacter(character)) part += character;
    else close("");
    wasUpper = isUpper;
  }
  close("");
  return last;
}

// Properties of Unicode take a millisecond to compile, and names of kinds are ASCII.
let upperCase: RegExp | undefined;
let wordCharacter: RegExp | undefined;

function isUpperCase(character: string): boolean {
  if (/^[\0-\x7F]/u.test(character)) return /^[A-Z]/u.test(character);
  upperCase ??= new RegExp("\\p{Lu}", "u");
  return upperCase.test(character);
}

function isWordCharacter(character: string): boolean {
  if (/^[\0-\x7F]/u.test(character)) return /^[!-#%-*,-/0-9:;?@A-Z[\]\\_`a-z{}]/u.test(character);
  wordCharacter ??= new RegExp("[\\p{L}\\p{Nd}\\p{P}]", "u");
  return wordCharacter.test(character);
}

interface Dictionary {
  readonly pluralOf: ReadonlyMap<string, string>;
  readonly plurals: ReadonlySet<string>;
}

// They are built for the first word, since most programs never need a plural.
let knownAcronyms: ReadonlySet<string> | undefined;
let knownDictionary: Dictionary | undefined;
let knownRules: readonly (readonly [string, string])[] | undefined;

function isAcronym(word: string): boolean {
  knownAcronyms ??= new Set(ACRONYMS.trim().split(/\s+/));
  return knownAcronyms.has(word.toUpperCase());
}

function dictionary(): Dictionary {
  if (knownDictionary !== undefined) return knownDictionary;
  const nouns = irregularNouns();
  knownDictionary = {
    pluralOf: new Map(nouns.map(({ singular, plural }) => [singular, plural])),
    plurals: new Set(
      nouns
        .filter(({ isOneWay }) => !isOneWay)
        .flatMap(({ plural, alternative }) => (alternative === undefined ? [plural] : [plural, alternative])),
    ),
  };
  return knownDictionary;
}

// A suffix that is plural already comes before the one it replaces; words of the dictionary, last first, before all.
function rules(): readonly (readonly [string, string])[] {
  knownRules ??= [
    ...irregularNouns()
      .filter(({ isExact }) => !isExact)
      .toReversed()
      .map(({ singular, plural }) => [singular, plural] as const),
    ...suffixRules(),
  ].flatMap(([singular, plural]) => [[plural, plural] as const, [singular, plural] as const]);
  return knownRules;
}

/** A noun whose plural no suffix gives. */
export interface IrregularNoun {
  readonly singular: string;
  readonly plural: string;
  /** Another plural that is recognized, but never made. */
  readonly alternative: string | undefined;
  /** The noun decides only as a whole word, not as the end of a compound. */
  readonly isExact: boolean;
  /** The plural is not taken for one when it is met: it belongs to another noun, or is its own singular. */
  readonly isOneWay: boolean;
}

// `singular plural [alternative]`; `=` marks what counts only as a whole word, `>` what is one-way.
const NOUNS = `
aircraft aircraft, beef beef beefs, bison bison, >blues blues, chassis chassis, deer deer, fish fish fishes
moose moose, police police, salmon salmon salmons, series series, sheep sheep, shrimp shrimp shrimps, species species
swine swine swines, trout trout trouts, tuna tuna tunas, you you, child children, =ox oxen, foot feet, goose geese
man men, human humans, =louse lice, mouse mice, tooth teeth, woman women, =die dice, person people
adieu adieux adieus, fabliau fabliaux, bureau bureaus bureaux, criterion criteria, ganglion ganglia ganglions
lexicon lexica lexicons, mitochondrion mitochondria mitochondrions, noumenon noumena, phenomenon phenomena, taxon taxa
media media, >medium media mediums, stadium stadiums stadia, aquarium aquaria aquariums
auditorium auditoria auditoriums, symposium symposia symposiums, curriculum curriculums curricula, quota quotas
alumnus alumni alumnuses, bacillus bacilli, cactus cacti cactuses, coccus cocci, focus foci focuses
locus loci locuses, nucleus nuclei nucleuses, octopus octupuses octopi, radius radii radiuses, syllabus syllabi
corpus corpora corpuses, genus genera, alumna alumnae, vertebra vertebrae, differentia differentiae, minutia minutiae
vita vitae, larva larvae, postcava postcavae, praecava praecavae, uva uvae, apex apices apexes, codex codices codexes
index indices indexes, latex latices latexes, vertex vertices vertexes, vortex vortices vortexes
appendix appendices appendixes, radix radices radixes, helix helices helixes, =axis axes, crisis crises
>ellipsis ellipses, genesis geneses, oasis oases, thesis theses, testis testes, base bases, >basis bases
=alias aliases, vedalia vedalias, =use uses, abuse abuses, cause causes, clause clauses, cruse cruses, excuse excuses
fuse fuses, house houses, misuse misuses, muse muses, pause pauses, ache aches, topaz topazes
buffalo buffaloes buffalos, potato potatoes, tomato tomatoes, equipment equipment, information information
jeans jeans, money money, news news, rice rice, dwarf dwarfs dwarves, hoof hoofs hooves, thief thieves, chive chives
hive hives, move moves, movie movies, cookie cookies, pretorium pretoriums, agenda agendas, formula formulas formulae
shoe shoes, =toe toes, graffiti graffiti, =ID IDs
`;

// `singular-suffix plural-suffix`, first match wins.
const SUFFIXES = `
tive tives, eaf eaves, oaf oaves, afe aves, arf arves, rfe rves, rf rves, lf lves, fe ves, ay ays, ey eys, oy oys
quy quies, uy uys, y ies, eau eaux, bula bulae, dula bulae, lula bulae, nula bulae, vula bulae, hedron hedra, ium ia
seum seums, eum ea, oum oa, stracum straca, dum da, elum ela, ilum ila, olum ola, ulum ula, llum lla, ylum yla
imum ima, ernum erna, gnum gna, brum bra, crum cra, terum tera, serum sera, trum tra, antum anta, atum ata, entum enta
etum eta, itum ita, otum ota, utum uta, ctum cta, ovum ova, trix trices, iasis iases, mesis meses, kinesis kineses
resis reses, gnosis gnoses, opsis opses, ysis yses, ouse ouses, lause lauses, us uses, ch ches, io ios, sh shes
ss sses, ez ezzes, iz izzes, tz tzes, zz zzes, ano anos, lo los, to tos, oo oos, o oes, x xes, S Ses
`;

/** Returns the nouns with an irregular plural, in flect's order. */
export function irregularNouns(): readonly IrregularNoun[] {
  return entries(NOUNS).map((entry) => {
    const [singular = "", plural = "", alternative] = entry.replace(/^[=>]+/, "").split(" ");
    const marks = entry.slice(0, entry.length - entry.replace(/^[=>]+/, "").length);
    return { singular, plural, alternative, isExact: marks.includes("="), isOneWay: marks.includes(">") };
  });
}

/** Returns pairs of a singular suffix and its plural; the first that fits wins. */
export function suffixRules(): readonly (readonly [string, string])[] {
  return entries(SUFFIXES).map((entry) => {
    const [singular = "", plural = ""] = entry.split(" ");
    return [singular, plural] as const;
  });
}

// Words that flect reads as one part, in capitals, whatever their letters are.
const ACRONYMS = `
OK UTF8 HTML JSON JWT ID UUID SQL ACK ACL ADSL AES ANSI API ARP ATM BGP BSS CCITT CHAP CIDR CIR CLI CPE CPU CRC CRT
CSMA CMOS DCE DEC DES DHCP DNS DRAM DSL DSLAM DTE DMI EHA EIA EIGRP EOF ESS FCC FCS FDDI FTP GBIC gbps GEPOF HDLC HTTP
HTTPS IANA ICMP IDF IDS IEEE IETF IMAP IP IPS ISDN ISP kbps LACP LAN LAPB LAPF LLC MAC Mbps MC MDF MIB MoCA MPLS MTU
NAC NAT NBMA NIC NRZ NRZI NVRAM OSI OSPF OUI PAP PAT PC PIM PCM PDU POP3 POTS PPP PPTP PTT PVST RAM RARP RFC RIP RLL
ROM RSTP RTP RCP SDLC SFD SFP SLARP SLIP SMTP SNA SNAP SNMP SOF SRAM SSH SSID STP SYN TDM TFTP TIA TOFU UDP URL URI
USB UTP VC VLAN VLSM VPN W3C WAN WEP WiFi WPA WWW
`;

function entries(text: string): readonly string[] {
  return text.trim().split(/,?\n|, /);
}
