import { hash } from 'node:crypto'

/** The words of a page, none of which needs escaping; with `button`, a form that posts to the page's own address. */
export type LinkPage = { title: string; text: string; button?: string }

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem}button{font:inherit;padding:.6rem 1.2rem}'

/** The headers of the pages: no script, one style, a form that posts to their own server alone, and no trace of their address elsewhere. */
export const linkPageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
}

/** Renders a page of a link in an email. */
export const linkPage = ({ title, text, button }: LinkPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p>${text}</p>
${button === undefined ? '' : `<form method="post"><button type="submit">${button}</button></form>\n`}</body>
</html>
`
