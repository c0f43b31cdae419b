/** Reads a number as Go's `strconv.ParseFloat` does, hexadecimal ones and words for infinity included; out of range is none. */
export function readGoFloat(text: string): number | undefined {
  if (/^[-+]?(?:inf|infinity)$/i.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (text.includes("_")) return areSeparators(text) ? readGoFloat(text.replaceAll("_", "")) : undefined;
  const value =
    readHexadecimal(text) ?? (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : undefined);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function readHexadecimal(text: string): number | undefined {
  const match = /^(?<sign>[-+]?)0[xX](?<whole>[0-9a-fA-F]*)\.?(?<fraction>[0-9a-fA-F]*)[pP](?<power>[-+]?\d+)$/.exec(
    text,
  );
  const { sign, whole = "", fraction = "", power = "0" } = match?.groups ?? {};
  if (match === null || whole + fraction === "") return undefined;
  const magnitude = Number.parseInt(whole + fraction, 16) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === "-" ? -magnitude : magnitude;
}

// An underscore stands between digits, or behind the prefix of a hexadecimal number.
function areSeparators(text: string): boolean {
  return !/^_|_$|__|(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])/.test(text);
}
