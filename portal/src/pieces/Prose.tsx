/** A sentence of the API, whose names stand between backticks. */
export function Prose({ text }: { readonly text: string }) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return text; // one that nothing closes
  return parts.map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
      <code key={index} className="mono">
        {part}
      </code>
    ),
  );
}
