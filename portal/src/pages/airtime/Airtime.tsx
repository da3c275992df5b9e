import { LinkButton } from "../../pieces/LinkButton.tsx";
import { ServicePage } from "../service/ServicePage.tsx";
import { TryAirtime } from "./TryAirtime.tsx";

export const Airtime = () => (
  <ServicePage
    service="airtime"
    title="Airtime"
    line="Top up a phone and see it arrive."
    icon="airtime"
    magic="airtime"
    beside={
      <LinkButton to="/services/data" variant="default">
        Buy data
      </LinkButton>
    }
  >
    <TryAirtime />
  </ServicePage>
);
