const PREFIX = /^.*? cannot be handled as a \w+: /u;

/** Returns the words of the decoder from the error about an object that cannot be decoded, without the sentence that names the kind. */
export function decodingProblem({ message }: Error): string {
  return message.replace(PREFIX, "");
}
