import { LinkButton } from "../../pieces/LinkButton.tsx";
import { ServicePage } from "../service/ServicePage.tsx";
import { TryData } from "./TryData.tsx";

export const Data = () => (
  <ServicePage
    service="airtime"
    title="Data"
    line="Give a phone a data bundle and see it arrive."
    icon="airtime"
    magic="airtime"
    beside={
      <LinkButton to="/services/airtime" variant="default">
        Buy airtime
      </LinkButton>
    }
  >
    <TryData />
  </ServicePage>
);
