/** A business message as it stands on a handset. */
export interface ChatArrival {
  /** The vendor's id. */
  readonly id: string;
  /** The business number, E.164 without `+`. */
  readonly from: string;
  /** The vendor's word: text, template, image, interactive, … */
  readonly type: string;
  /** What is read on the screen; of a template with its variables filled in. */
  readonly text: string;
  readonly header?: string;
  readonly footer?: string;
  readonly media?: {
    readonly kind: string;
    readonly id?: string;
    readonly link?: string;
    readonly caption?: string;
    readonly filename?: string;
  };
  /** What can be pressed: buttons, and rows of a list. A `url` opens a page instead of answering. */
  readonly choices: readonly { readonly id: string; readonly title: string; readonly url?: string }[];
  /** The choices are rows of a list. */
  readonly isList?: true;
  readonly template?: { readonly name: string; readonly language: string };
  /** The message that it answers. */
  readonly inReplyTo?: string;
  /** What the sender gave along (`biz_opaque_callback_data`). */
  readonly reference?: string;
  readonly receivedAt: string;
  readonly read: boolean;
}

/** What a handset does; one thing at a time. */
export interface ChatReply {
  /** The business number that it writes to; else the one that wrote last, or the vendor's first. */
  readonly to?: string;
  readonly text?: string;
  /** Presses a button, or a row of a list, of a message. */
  readonly press?: { readonly messageId: string; readonly id: string };
  /** Without an emoji the reaction is taken back. */
  readonly reaction?: { readonly messageId: string; readonly emoji?: string };
  /** Without `base64` a small file of the type. */
  readonly media?: {
    readonly kind: "image" | "video" | "audio" | "document" | "sticker";
    readonly mimeType?: string;
    readonly caption?: string;
    readonly filename?: string;
    readonly base64?: string;
  };
  readonly location?: {
    readonly latitude: number;
    readonly longitude: number;
    readonly name?: string;
    readonly address?: string;
  };
  /** A message object in the vendor's own words, for what has no word here; `from`, `id` and `timestamp` are put in. */
  readonly raw?: Readonly<Record<string, unknown>>;
  /** The person has a user name, so that only the vendor's id of the person is reported. */
  readonly hidesPhone?: true;
  /** Quotes a message. */
  readonly inReplyTo?: string;
  /** So many seconds ago by the vendor's clock. */
  readonly secondsAgo?: number;
}

/** An error code that the next messages meet. */
export interface ChatError {
  readonly code: number;
  /** In the answer, or as a `failed` status after the message was taken. At once when absent. */
  readonly how?: "sync" | "async";
  /** Messages to this phone alone. */
  readonly recipient?: string;
  /** 1 when absent. */
  readonly times?: number;
}
