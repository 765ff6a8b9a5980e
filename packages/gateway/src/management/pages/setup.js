// The token stands behind the #, which browsers send nowhere; it is taken out of the address bar and of the history.
const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
history.replaceState(null, "", location.pathname);

const element = (id) => document.getElementById(id);
const fields = ["name", "email", "password"];

function showProblem(message, field) {
  for (const name of fields) {
    const wrong = name === field;
    element(`${name}-problem`).textContent = wrong ? message : "";
    element(name).setAttribute("aria-invalid", String(wrong));
  }
  const known = fields.includes(field);
  element("problem").textContent = known ? "" : message;
  if (known) element(field).focus();
}

async function submit(event) {
  event.preventDefault();
  const empty = fields.find((name) => element(name).value === "");
  if (empty) {
    showProblem("Please fill this in.", empty);
    return;
  }
  showProblem("");
  element("submit").disabled = true;
  try {
    const values = Object.fromEntries(fields.map((name) => [name, element(name).value]));
    const response = await fetch("/api/v1/setup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, ...values }),
    });
    const answer = await response.json();
    if (response.ok) showDone(answer.user.email);
    else if (response.status === 404) showProblem("There is an operator already.");
    else showProblem(answer.error.message, answer.error.field);
  } catch {
    showProblem("The gateway did not answer. Is it still running?");
  } finally {
    element("submit").disabled = false;
  }
}

function showDone(email) {
  element("done-email").textContent = email;
  element("done-base").textContent = `${location.origin}/v1`;
  element("form-part").hidden = true;
  element("done-part").hidden = false;
  element("done-title").focus();
}

element("form").addEventListener("submit", submit);
if (token === "") showProblem("This address has no token: open the whole link that the gateway printed at its start.");
