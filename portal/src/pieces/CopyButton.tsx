import { Button, type ButtonProps } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Icon } from "./Icon.tsx";

interface CopyProps extends ButtonProps {
  readonly text: string;
  /** What is copied: "key", "code". */
  readonly what: string;
}

export function CopyButton({ text, what, ...look }: CopyProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  return (
    <Button
      variant="default"
      size="xs"
      {...look}
      leftSection={<Icon name={copied ? "check" : "copy"} size={15} />}
      onClick={() => copy(text)}
      aria-label={`Copy the ${what}`}
    >
      {copied ? "Copied" : "Copy"}
    </Button>
  );
}
