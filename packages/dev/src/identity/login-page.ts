import { hash } from 'node:crypto'

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
:root { color-scheme: light dark; --ink: #1c1917; --paper: #faf9f7; --card: #fff; --line: #e2ddd6; --brand: #a04f1e }
@media (prefers-color-scheme: dark) { :root { --ink: #ece7e1; --paper: #161412; --card: #1f1c19; --line: #3a352f; --brand: #d98a57 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; padding: 16px }
main { width: min(400px, 100%); background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 28px }
h1 { font-size: 20px; margin: 0 0 4px } p { margin: 0 0 20px; opacity: .75; font-size: 14px }
label { display: block; font-size: 14px; font-weight: 600; margin-bottom: 6px }
input { width: 100%; padding: 11px 12px; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 9px }
button { width: 100%; margin-top: 14px; padding: 11px; font: inherit; font-weight: 600; color: #fff; background: var(--brand); border: 0; border-radius: 9px; cursor: pointer }
@media (prefers-color-scheme: dark) { button { color: #161412 } }
input:focus-visible, button:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px }`

/** The source of the pages' one style, for a policy. */
export const loginStyle: string = `'sha256-${hash('sha256', style, 'base64')}'`

/** The form of the development identity provider: it logs in any typed address, without a password. */
export const loginPage = (action: string, email: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Development identity provider</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Development identity provider</h1>
<p>Stands in for your company's login (any OpenID Connect provider). There is no password: type who you want to be.</p>
<form method="post" action="${escaped(action)}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" value="${escaped(email)}" autofocus>
<button>Log in</button>
</form>
</main>
</body>
</html>
`

/** What the provider says where a login went wrong. */
export const failurePage = (text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Development identity provider</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>This login did not work</h1>
<p>${escaped(text)}</p>
<p>Go back to the portal, and log in again.</p>
</main>
</body>
</html>
`
