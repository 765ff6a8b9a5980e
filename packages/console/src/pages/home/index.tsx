import { SimpleGrid, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useAccountId, usePageScope } from "../../app/account.ts";
import { AlertBanner } from "../../shared/alerts/alert-banner.tsx";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { DayChart } from "./day-chart.tsx";
import { DayFigures } from "./day-figures.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LastCalls } from "./last-calls.tsx";
import { type Overview, overviewQuery } from "./overview-data.ts";
import { homeTexts } from "./texts.ts";

/** The account at one look. */
export default function HomePage() {
  const t = useText(homeTexts);
  const account = useAccountId();
  const scope = usePageScope();
  const overview = useQuery(overviewQuery(account));
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <AlertBanner accountId={account} />
      <Loaded query={overview} skeleton={<Waiting />}>
        {(data) => (
          <>
            {!data.checklist.done && <FirstSteps account={account} overview={data} />}
            <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" mb="lg">
              <MoneyFigure money={data.money} />
              <DayFigures overview={data} />
            </SimpleGrid>
            {data.checklist.has_call && <DayChart hours={data.hours} />}
            {(data.checklist.has_call || data.checklist.done) && <LastCalls calls={data.last_calls} scope={scope} />}
          </>
        )}
      </Loaded>
    </>
  );
}

function MoneyFigure({ money }: { money: Overview["money"] }) {
  const t = useText(homeTexts);
  const format = useFormat();
  const shown = money.available ?? money.balance;
  return (
    <Figure
      label={money.available === null ? t("balance") : t("available")}
      value={format.moneyShort(shown)}
      title={format.money(shown)}
      note={
        <span title={format.money(money.reserved)}>
          {money.available === null
            ? t("unlimited")
            : money.reserved === "0"
              ? t("noneReserved")
              : t("reserved", { amount: format.moneyShort(money.reserved) })}
        </span>
      }
    />
  );
}

function Waiting() {
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" mb="lg">
        {["money", "spend", "calls", "errors", "wait"].map((name) => (
          <Skeleton key={name} h={94} />
        ))}
      </SimpleGrid>
      <Skeleton h={284} mb="lg" />
      <Skeleton h={380} />
    </>
  );
}
