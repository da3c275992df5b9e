import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listKeys } from "../../api/keys.ts";
import { useMay, useScope } from "../../api/session.ts";
import { Empty } from "../../pieces/Empty.tsx";
import { Icon } from "../../pieces/Icon.tsx";
import { Page, SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { CreateKey } from "./CreateKey.tsx";
import { EndKey } from "./EndKey.tsx";
import type { Ending } from "./ending.ts";
import { KeyRows } from "./KeyRows.tsx";

export function Keys() {
  const scope = useScope();
  const keys = useQuery({ queryKey: [...scope, "keys"], queryFn: listKeys });
  const mayCreate = useMay("keys");
  const [isCreating, setCreating] = useState(false);
  const [ending, end] = useState<Ending>();
  const create = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      Create a key
    </Button>
  );
  return (
    <Page
      title="Keys"
      line="Your software says by a key who is calling. Each is shown once, when it is made."
      action={mayCreate && create}
    >
      <section className="card" aria-label="Keys">
        {keys.data ? (
          keys.data.data.length === 0 ? (
            <Empty icon="key" title="No key yet" action={mayCreate && create}>
              {mayCreate
                ? "Create a test key, and make the first call with it."
                : "An owner or a developer of the account can create one."}
            </Empty>
          ) : (
            <KeyRows keys={keys.data.data} mayEnd={mayCreate} end={end} />
          )
        ) : keys.error ? (
          <ProblemView error={keys.error} again={() => void keys.refetch()} />
        ) : (
          <SkeletonRows count={4} height={52} />
        )}
      </section>
      <CreateKey opened={isCreating} close={() => setCreating(false)} />
      <EndKey ending={ending} close={() => end(undefined)} />
    </Page>
  );
}
