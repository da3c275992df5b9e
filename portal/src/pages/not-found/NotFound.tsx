import { Button } from "@mantine/core";
import { Door } from "../../frame/Door.tsx";

export const NotFound = () => (
  <Door title="There is no page here" line="The address may be old, or a letter in it is wrong.">
    <Button component="a" href="/portal">
      Go to Home
    </Button>
  </Door>
);
