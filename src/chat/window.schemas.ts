import Type from "typebox";
import { ListOf, oneOf, Timestamp } from "../http/schemas.ts";

/** The state of a recipient's 24-hour window, and the templates that may be sent outside it. */

const NullableTime = (description: string) => Type.Union([Timestamp, Type.Null()], { description });

export const Window = Type.Object(
  {
    object: Type.Literal("chat_window"),
    open: Type.Boolean(),
    last_inbound_at: NullableTime("When the person last wrote, by the vendor's clock."),
    closes_at: NullableTime("24 hours later, to the second; in the past once the window has closed."),
  },
  { title: "ChatWindow" },
);

const Placeholder = Type.Object(
  {
    kind: Type.String({
      description: "`text`, `image`, `video`, `document`, or `url` for the last part of a button's link.",
    }),
    name: Type.Optional(Type.String({ description: "As written in the text: `{{name}}`." })),
    index: Type.Optional(Type.Integer()),
    text: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
  },
  { title: "TemplatePlaceholder" },
);

export const TemplateList = ListOf(
  Type.Object(
    {
      object: Type.Literal("chat_template"),
      name: Type.String(),
      language: Type.String(),
      category: oneOf(["marketing", "utility", "authentication"]),
      status: Type.String({ description: "Only `approved` ones can be sent." }),
      header: Type.Optional(Type.String()),
      body: Type.String(),
      unknown_parts: Type.Optional(
        Type.Array(Type.String(), {
          description: "Parts of the template that this API can't fill in; with any of them it can't be sent.",
        }),
      ),
      variables: Type.Object({
        header: Type.Array(Placeholder),
        body: Type.Array(Placeholder),
        buttons: Type.Array(Placeholder),
      }),
    },
    { title: "ChatTemplate" },
  ),
  { as_of: NullableTime("When the vendor's list was last fetched.") },
);
