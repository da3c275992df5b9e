import { NativeSelect, TextInput } from "@mantine/core";
import type { Models } from "../../api/client.ts";
import type { Problem } from "../../api/problem.ts";

type Template = Models["ChatTemplate"];
type Part = "header" | "body" | "buttons";

/** What was typed for each placeholder, by its pointer. */
export type Filling = Readonly<Record<string, string>>;

interface Place {
  readonly pointer: string;
  readonly part: Part;
  readonly label: string;
  /** What stands for it in the text. */
  readonly mark: string;
  readonly example: string;
}

const PARTS = ["header", "body", "buttons"] as const;
const EXAMPLES = ["Ada", "4471", "Friday"];

const placesOf = ({ variables }: Template): readonly Place[] =>
  PARTS.flatMap((part) =>
    variables[part].map(({ name = "1", text }, index) => ({
      pointer: `/variables/${part}/${index}`,
      part,
      label:
        part === "buttons" ? `Link of ${text ?? "the button"}` : `${part === "header" ? "Header" : "Text"} ${name}`,
      mark: `{{${name}}}`,
      example: EXAMPLES[index] ?? "",
    })),
  );

/** Where the API may find fault with a template's variables. */
export const pointersOf = (template: Template): readonly string[] => placesOf(template).map(({ pointer }) => pointer);

const typedIn = ({ pointer, example }: Place, filling: Filling): string => filling[pointer] ?? example;

/** As the API takes them: a list for each part that has any. */
export function variablesOf(template: Template, filling: Filling): Partial<Record<Part, string[]>> | undefined {
  const places = placesOf(template);
  const parts = PARTS.flatMap((part): [Part, string[]][] => {
    const values = places.filter((place) => place.part === part).map((place) => typedIn(place, filling));
    return values.length > 0 ? [[part, values]] : [];
  });
  return parts.length > 0 ? Object.fromEntries(parts) : undefined;
}

/** The text with what was typed in it. */
export const filledIn = (template: Template, filling: Filling): string =>
  placesOf(template)
    .filter(({ part }) => part === "body")
    .reduce((text, place) => text.replaceAll(place.mark, () => typedIn(place, filling)), template.body);

interface TemplateProps {
  readonly templates: readonly Template[];
  readonly template: Template;
  readonly filling: Filling;
  readonly problem: Problem | undefined;
  readonly onChoose: (name: string) => void;
  readonly onFill: (filling: Filling) => void;
}

/** The choice of a template, and a field for each of its placeholders. */
export const TemplateFields = ({ templates, template, filling, problem, onChoose, onFill }: TemplateProps) => (
  <>
    <NativeSelect
      label="Template"
      data={templates.map(({ name }) => name)}
      value={template.name}
      onChange={(event) => onChoose(event.currentTarget.value)}
      description={`${template.category}, ${template.language}`}
      error={problem?.of("/template")}
    />
    {placesOf(template).map((place) => (
      <TextInput
        key={place.pointer}
        label={place.label}
        value={typedIn(place, filling)}
        onChange={(event) => onFill({ ...filling, [place.pointer]: event.currentTarget.value })}
        error={problem?.of(place.pointer)}
        autoComplete="off"
      />
    ))}
  </>
);
