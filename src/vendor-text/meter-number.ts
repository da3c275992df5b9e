/** A meter's number without the zeros in front: as a number it has none. Of zeros alone nothing is left. */
const significant = (meterNumber: string): string => meterNumber.replace(/^0+/, "");

/** Whether a vendor that writes meters as numbers names this one. One of zeros alone is only that very text. */
export const isSameMeter = (said: string, meterNumber: string): boolean =>
  said === meterNumber || (significant(said) === significant(meterNumber) && significant(meterNumber) !== "");
