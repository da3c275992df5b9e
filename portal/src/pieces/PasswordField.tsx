import { PasswordInput } from "@mantine/core";

interface PasswordProps {
  readonly name: string;
  readonly label: string;
  /** A new one is long enough, and the browser may propose it. */
  readonly isNew?: boolean;
  readonly description?: string;
  /** Has the focus when its dialog opens. */
  readonly isFirst?: boolean;
  readonly error?: string | undefined;
}

export const PasswordField = ({ name, label, isNew = false, description, isFirst = false, error }: PasswordProps) => (
  <PasswordInput
    name={name}
    label={label}
    description={description ?? (isNew && "Ten characters or more. A few words in a row are easy to keep.")}
    autoComplete={isNew ? "new-password" : "current-password"}
    {...(isNew && { minLength: 10 })}
    required
    withAsterisk={false}
    {...(isFirst && { "data-autofocus": true })}
    error={error}
    visibilityToggleButtonProps={{ "aria-label": `Show: ${label}`, tabIndex: 0 }}
  />
);
