/** Phase of the moon. */
type Phase = "New" | "Full";
export default Phase;
