/**
 * Whether the detail of a purchase's timeline row is what a vendor answered, to the call or to a question (`entryOf`): it names the
 * route. A late answer, which names it too, decided nothing.
 */
export const isAnswerEntry = (detail: Readonly<Record<string, unknown>> | null): boolean =>
  detail !== null && detail.route !== undefined && detail.late_answer === undefined;
