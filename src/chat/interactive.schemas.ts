import Type from "typebox";
import { closed, named, oneOf } from "../http/schemas.ts";
import { LIMITS } from "./limits.ts";

/** Words of at most so many characters, and one at least. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description !== undefined && { description }) });

const Id256 = Type.String({
  minLength: 1,
  maxLength: LIMITS.buttons.id,
  pattern: "^\\S(?:.*\\S)?$",
  description: "returned when it is pressed; no leading or trailing spaces",
});
const Button = closed({ id: Id256, title: text(LIMITS.buttons.title) }, { title: "ChatButton" });
const Row = closed(
  {
    id: Type.String({ minLength: 1, maxLength: LIMITS.list.rowId, description: "Returned when the row is chosen." }),
    title: text(LIMITS.list.rowTitle),
    description: Type.Optional(text(LIMITS.list.rowDescription)),
  },
  { title: "ChatListRow" },
);
const List = closed(
  {
    button: text(LIMITS.list.button, "The label that opens the list."),
    sections: Type.Array(
      closed(
        {
          title: Type.Optional(text(LIMITS.list.sectionTitle)),
          rows: Type.Array(Row, { minItems: 1, maxItems: LIMITS.list.rows }),
        },
        { title: "ChatListSection" },
      ),
      {
        minItems: 1,
        maxItems: LIMITS.list.sections,
        description: "10 rows in total. Two or more sections need titles.",
      },
    ),
  },
  { title: "ChatListPicker" },
);
const CtaUrl = closed(
  { label: text(LIMITS.ctaUrl.label), url: text(LIMITS.ctaUrl.url, "Starts with https://.") },
  { title: "ChatLink" },
);
export const InteractiveKind = named(
  "InteractiveKind",
  oneOf(["buttons", "list", "cta_url"], "Which of the fields `text`, `media` and `interactive` is present."),
);

/** What can be pressed, and the words around it: the same in a request and in what is shown of it. */
export const interactiveFields = {
  header: Type.Optional(text(LIMITS.interactive.header)),
  footer: Type.Optional(text(LIMITS.interactive.footer)),
  buttons: Type.Optional(Type.Array(Button, { minItems: 1, maxItems: LIMITS.buttons.most })),
  list: Type.Optional(List),
  cta_url: Type.Optional(CtaUrl),
};
