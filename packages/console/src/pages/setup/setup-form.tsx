import { Alert, Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { askSignIn } from "../../api/sign-in.ts";
import { useText } from "../../shared/text.ts";
import { leastPassword } from "./least-password.ts";
import { setupTexts } from "./texts.ts";

const fields = ["name", "email", "password"] as const;
type Field = (typeof fields)[number];
interface Problem {
  field: Field | undefined;
  text: string;
}

/** Who the first operator is. Signs in then; `onClosed` where somebody else was faster. */
export function SetupForm({ token, onClosed }: { token: string; onClosed: () => void }) {
  const t = useText(setupTexts);
  const [values, setValues] = useState<Record<Field, string>>({ name: "", email: "", password: "" });
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);

  const problemOf = (error: unknown): Problem => {
    if (!(error instanceof ApiError)) return { field: undefined, text: String(error) };
    const field = fields.find((name) => name === error.field);
    if (field === "email") return { field, text: t("badEmail") };
    if (field === "name") return { field, text: t("badName") };
    if (field === "password") return { field, text: t("badPassword") };
    if (error.code === "bad_setup_token") return { field: undefined, text: t("badToken") };
    if (error.code === "too_many_tries") return { field: undefined, text: t("tooMany") };
    if (error.code === "network") return { field: undefined, text: t("network") };
    return { field: undefined, text: error.message };
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const empty = fields.find((name) => values[name].trim() === "");
    if (empty) {
      setProblem({ field: empty, text: t("needed") });
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      const { user } = await unwrap(api.POST("/api/v1/setup", { body: { token, ...values } }));
      await askSignIn("POST", "/sign-in/email", { email: user.email, password: values.password });
      window.location.assign("/");
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) onClosed();
      else setProblem(problemOf(error));
      setBusy(false);
    }
  };

  const input = (field: Field) => ({
    name: field,
    value: values[field],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [field]: value }));
    },
    error: problem?.field === field ? problem.text : undefined,
    required: true,
    withAsterisk: false,
  });
  const missing = leastPassword - [...values.password].length;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem && problem.field === undefined && (
          <Alert color="red" variant="light" role="alert">
            {problem.text}
          </Alert>
        )}
        <TextInput label={t("name")} autoComplete="name" maxLength={100} autoFocus {...input("name")} />
        <TextInput label={t("email")} type="email" autoComplete="username" maxLength={254} {...input("email")} />
        <PasswordInput
          label={t("password")}
          description={values.password !== "" && missing > 0 ? t("left", { count: missing }) : t("passwordText")}
          autoComplete="new-password"
          maxLength={128}
          {...input("password")}
        />
        <Button type="submit" loading={busy} fullWidth mt={4}>
          {t("create")}
        </Button>
      </Stack>
    </form>
  );
}
