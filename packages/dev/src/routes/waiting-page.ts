import { hash } from 'node:crypto'

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { min-height: 90vh; display: grid; place-content: center; text-align: center; margin: 0 1rem; }
  p { opacity: .7; margin: .3rem 0; }
`

/** The source of the page's one style, for a policy. */
export const waitingStyle: string = `'sha256-${hash('sha256', style, 'base64')}'`

/** A page that names the asset being built, and reloads each second until it is ready. */
export function waitingPage(subject: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="1">
<title>Almost there · Symbolon</title>
<style>${style}</style>
</head>
<body>
<h1>Almost there</h1>
<p>${subject} is being built. This page opens by itself, usually within seconds.</p>
<p>If it does not, <code>npm run build</code> says why.</p>
</body>
</html>
`
}
