/**
 * What a chat order stores for its adapter: the port between the chat service and every vendor of business chat. The order's
 * `recipient` is a `ChatAddress`: the phone (E.164 without `+`), or the vendor's id of a user. Lengths and forms were checked by the service.
 */
export interface ChatPayload {
  /** The account's chat number that writes, E.164 without `+`; the adapter knows the vendor's id of it. */
  readonly from: string;
  readonly content: ChatContent;
  /** The vendor's id of the message that this one answers. */
  readonly in_reply_to?: string;
}

export type ChatContent =
  | { readonly type: "text"; readonly body: string; readonly preview_url: boolean }
  | ChatTemplate
  | ({ readonly type: "media"; readonly caption?: string; readonly filename?: string } & ChatMedia)
  | ChatInteractive;

export type MediaKind = "image" | "video" | "document";

/** By the vendor's id of something uploaded, or by a link that the vendor fetches. */
export type ChatMedia = { readonly kind: MediaKind } & ({ readonly id: string } | { readonly link: string });

/** Variables in the order of the template's placeholders; checked against the template's own. */
export interface ChatTemplate {
  readonly type: "template";
  readonly name: string;
  readonly language: string;
  /** Texts, or the one media file of a header that has a picture, film or document. */
  readonly header?: readonly string[] | ChatMedia;
  readonly body?: readonly string[];
  /** By index of the button: what the template leaves open (the end of a link, the payload of a quick reply). */
  readonly buttons?: readonly {
    readonly index: number;
    readonly kind: "url" | "quick_reply";
    readonly value: string;
  }[];
  /** Names of the body's placeholders, for templates that name them. */
  readonly names?: { readonly header?: readonly string[]; readonly body?: readonly string[] };
}

export interface ChatInteractive {
  readonly type: "interactive";
  readonly body: string;
  readonly header?: string;
  readonly footer?: string;
  readonly action:
    | { readonly kind: "buttons"; readonly buttons: readonly { readonly id: string; readonly title: string }[] }
    | {
        readonly kind: "list";
        readonly button: string;
        readonly sections: readonly {
          readonly title?: string;
          readonly rows: readonly { readonly id: string; readonly title: string; readonly description?: string }[];
        }[];
      }
    | { readonly kind: "cta_url"; readonly label: string; readonly url: string };
}

/** Words of a chat report, in `ProviderReport.status`. */
export type ChatReportStatus = "sent" | "delivered" | "read" | "failed";

/** What a person wrote to a chat number, in `InboundMessage.facts`; `text` of the message holds its words, if it has any. */
export interface InboundChat {
  /** The vendor's word, kept also where it is new to us. */
  readonly type: string;
  readonly media?: {
    readonly id: string;
    readonly mime_type: string;
    readonly sha256?: string;
    readonly filename?: string;
  };
  /** A button or row that was pressed. */
  readonly choice?: { readonly id: string; readonly title: string };
  readonly reaction?: { readonly message_id: string; readonly emoji?: string };
  readonly location?: {
    readonly latitude: number;
    readonly longitude: number;
    readonly name?: string;
    readonly address?: string;
  };
  /** The vendor's id of the message that it answers. */
  readonly in_reply_to?: string;
  /** The vendor's id of the message that the person changed, or took back. */
  readonly edits?: string;
  readonly revokes?: string;
  readonly profile_name?: string;
  /** The vendor's id of the person, beside the phone or instead of it. */
  readonly user_id?: string;
  /** All addresses that the vendor says are this person's now, and those that were until now. */
  readonly known_as?: readonly string[];
  readonly formerly?: readonly string[];
  /** What the person chose in the app about marketing. */
  readonly preference?: "stop" | "resume";
  /** What it was taken for when it came. */
  readonly understood_as?: "stop" | "start";
  /** The advertisement or post that the person came from, and the product that is spoken of, as the vendor has them. */
  readonly referral?: unknown;
  readonly referred_product?: unknown;
  readonly forwarded?: true;
  readonly frequently_forwarded?: true;
  /** The group in which it was written. */
  readonly group_id?: string;
  /** Whole, as it came, where there is more in it than the words here tell. */
  readonly raw?: unknown;
}

/** A template as a vendor lists it. */
export interface VendorTemplate {
  readonly name: string;
  readonly language: string;
  readonly category: "marketing" | "utility" | "authentication";
  /** The vendor's word in lower case: approved, pending, rejected, paused, disabled, … */
  readonly status: string;
  readonly header?: { readonly kind: "text" | MediaKind | "location"; readonly text?: string };
  readonly body: string;
  /** It has nothing but a body, which may then be longer. */
  readonly isBodyOnly?: true;
  /** Parts that must be filled in and that nothing here can, in the vendor's words in lower case: it can't be sent. */
  readonly unknownParts?: readonly string[];
  readonly buttons: readonly {
    readonly index: number;
    readonly kind: "url" | "quick_reply" | "phone_number" | "copy_code" | string;
    readonly text: string;
    /** Of a link; with `{{1}}` at its end when it has a variable. */
    readonly url?: string;
  }[];
  readonly isNamed: boolean;
}
