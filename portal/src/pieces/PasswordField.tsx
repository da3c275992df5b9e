import { PasswordInput } from "@mantine/core";

interface PasswordProps {
  readonly name: string;
  readonly label: string;
  /** A new one is long enough, and the browser may propose it. */
  readonly isNew?: boolean;
  readonly isRequired?: boolean;
  readonly description?: string;
  readonly error: string | undefined;
}

export const PasswordField = ({ name, label, isNew = false, isRequired = true, description, error }: PasswordProps) => (
  <PasswordInput
    name={name}
    label={label}
    description={description}
    autoComplete={isNew ? "new-password" : "current-password"}
    {...(isNew && { minLength: 10 })}
    required={isRequired}
    withAsterisk={false}
    error={error}
    visibilityToggleButtonProps={{ "aria-label": `Show: ${label}`, tabIndex: 0 }}
  />
);
