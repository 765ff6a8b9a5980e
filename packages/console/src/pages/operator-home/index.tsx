import { SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { usePageScope } from "../../app/account.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { DayChart } from "../home/day-chart.tsx";
import { DayFigures } from "../home/day-figures.tsx";
import { LastCalls } from "../home/last-calls.tsx";
import { ChannelStates } from "./channel-states.tsx";
import { installationQuery } from "./installation-data.ts";
import { operatorHomeTexts } from "./texts.ts";
import { TopValues } from "./top-values.tsx";

/** The whole installation at one look, for those who run it. */
export default function OperatorHomePage() {
  const t = useText(operatorHomeTexts);
  const scope = usePageScope();
  const overview = useQuery(installationQuery);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <Stack gap="lg">
        <Loaded query={overview} skeleton={<Waiting />}>
          {(data) => (
            <div>
              <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="lg">
                <DayFigures overview={data} />
              </SimpleGrid>
              <DayChart hours={data.hours} />
              <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
                <TopValues
                  title={t("topAccounts")}
                  dimension="account"
                  values={data.top_accounts}
                  total={data.today.charge}
                />
                <TopValues
                  title={t("topModels")}
                  dimension="model"
                  values={data.top_models}
                  total={data.today.charge}
                />
              </SimpleGrid>
            </div>
          )}
        </Loaded>
        <ChannelStates />
        {overview.data && <LastCalls calls={overview.data.last_calls} scope={scope} />}
      </Stack>
    </>
  );
}

function Waiting() {
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm" mb="lg">
        {["spend", "calls", "errors", "wait"].map((name) => (
          <Skeleton key={name} h={94} />
        ))}
      </SimpleGrid>
      <Skeleton h={284} mb="lg" />
      <Skeleton h={240} />
    </>
  );
}
