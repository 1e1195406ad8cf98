const style = `  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.3rem; margin: 0 0 1rem; }
  input { font: inherit; padding: .4rem .6rem; width: 100%; box-sizing: border-box; margin-bottom: 1rem; }
  article { border: 1px solid #8885; border-radius: .5rem; padding: .8rem 1rem; margin-bottom: .8rem; }
  header { display: flex; gap: 1rem; justify-content: space-between; flex-wrap: wrap; }
  h2 { font-size: 1rem; margin: 0; }
  small { opacity: .7; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .6rem 0 0; font: inherit; }
`

const script = `  const list = document.querySelector('#messages')
  const to = document.querySelector('#to')
  let shown
  const element = (tag, text, ...children) => {
    const made = document.createElement(tag)
    if (text) made.textContent = text
    made.append(...children)
    return made
  }
  const article = (mail) => element('article', '',
    element('header', '', element('h2', mail.subject || '(no subject)'),
      element('small', mail.to + ' · ' + new Date(mail.received_at).toLocaleTimeString())),
    element('pre', mail.text || '(no text)'))
  async function refresh() {
    try {
      const query = to.value.trim() ? '?to=' + encodeURIComponent(to.value.trim()) : ''
      const text = await (await fetch('/dev/mailbox/messages' + query)).text()
      if (text === shown) return
      shown = text
      const messages = JSON.parse(text)
      list.replaceChildren(...(messages.length > 0 ? messages.map(article) : [element('p', 'No email yet.')]))
    } catch {
      list.replaceChildren(element('p', 'The platform does not answer.'))
      shown = undefined
    }
  }
  to.addEventListener('input', refresh)
  setInterval(refresh, 1000)
  refresh()
`

/**
 * The mailbox page: lists the newest emails and follows new ones. Emails are shown as text only, so nothing in an email can
 * run; the policy allows this page's own script and style by nonce.
 */
export function mailboxPage(nonce: string): { html: string; contentSecurityPolicy: string } {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox · Symbolon development</title>
<style nonce="${nonce}">
${style}</style>
</head>
<body>
<h1>Mailbox</h1>
<label>Only email to <input id="to" type="search" placeholder="somebody@example.test" autocomplete="off"></label>
<main id="messages" aria-live="polite"><p>Loading…</p></main>
<script nonce="${nonce}">
${script}</script>
</body>
</html>
`
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  }
}
