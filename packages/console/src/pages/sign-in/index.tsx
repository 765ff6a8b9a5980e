import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { EntryLayout } from "../../app/entry-layout.tsx";
import { useMaybeMe } from "../../app/session.ts";
import { useText } from "../../shared/text.ts";
import { CodeStep } from "./code-step.tsx";
import { OtherWays } from "./other-ways.tsx";
import { PasswordStep } from "./password-step.tsx";
import { outsideProblem, signInProblem } from "./sign-in-problem.ts";
import { signInTexts } from "./texts.ts";

/** Signing in: `?next=` a path of ours to go to then, `?error=` why a sign-in elsewhere did not work. */
export default function SignInPage() {
  const t = useText(signInTexts);
  const search: { next?: string; error?: string } = useSearch({ strict: false });
  const next = ownPath(search.next);
  const me = useMaybeMe();
  const methods = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: () => unwrap(api.GET("/api/v1/sign-in-methods")),
    staleTime: 60_000,
  });
  const [step, setStep] = useState<"password" | "code">("password");
  const [problem, setProblem] = useState<unknown>();
  // All that was loaded for nobody, or for another user, goes with the page.
  const enter = () => window.location.assign(next);
  if (me) return <Navigate to={next} />;
  const told =
    problem !== undefined
      ? signInProblem(t, problem)
      : search.error !== undefined && step === "password"
        ? outsideProblem(t, search.error)
        : undefined;
  return (
    <EntryLayout
      title={step === "code" ? t("codeTitle") : t("title")}
      description={step === "code" ? undefined : t("description")}
    >
      {methods.data?.setup && (
        <Alert color="blue" variant="light" mb="md">
          {t("noOperator")}
        </Alert>
      )}
      <div aria-live="assertive">
        {told !== undefined && (
          <Alert color="red" variant="light" mb="md">
            {told}
          </Alert>
        )}
      </div>
      {step === "password" ? (
        <>
          <PasswordStep onDone={(secondFactor) => (secondFactor ? setStep("code") : enter())} onProblem={setProblem} />
          {methods.isError && (
            <Text fz="xs" c="dimmed" mt="md">
              {t("methodsFailed")}
            </Text>
          )}
          {methods.data && (
            <OtherWays providers={methods.data.providers} next={next} onDone={enter} onProblem={setProblem} />
          )}
        </>
      ) : (
        <CodeStep
          onDone={enter}
          onProblem={setProblem}
          onStartOver={() => {
            setProblem(undefined);
            setStep("password");
          }}
        />
      )}
    </EntryLayout>
  );
}

/** A path of this console; anything else is its start. */
function ownPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) && !path.startsWith("/sign-in") ? path : "/";
}
