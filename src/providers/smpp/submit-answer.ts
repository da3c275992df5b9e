/** The outcome of one submit. */
export type SubmitAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly messageId: string }
  /** Certain: no octet left. */
  | { readonly kind: "not_sent"; readonly detail: string; readonly mayRetryAtOnce: boolean }
  /** It does not fit into a submit_sm: a mistake of ours. */
  | { readonly kind: "unwritable"; readonly detail: string }
  /** Written, and no answer that can be read: it may have been taken. */
  | { readonly kind: "lost"; readonly detail: string };

/** Called with an answer after its submit was given up as lost. */
export type AnsweredLate = (answer: Extract<SubmitAnswer, { kind: "answered" }>) => void;
