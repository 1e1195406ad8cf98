import type { PortalRole } from '@symbolon/api'
import { escapeHtml } from './escape-html.ts'

/** The email about a new membership. It names no company, since others choose company names freely. */
export function invitationMail({
  portalUrl,
  role,
  invitedBy,
}: {
  portalUrl: string
  role: PortalRole
  invitedBy: string
}) {
  const said = `${invitedBy} added you to a company in the wallet portal, in the role "${role}".`
  const advice = 'Log in with this email address. If you did not expect this, ignore this email.'
  return {
    subject: 'You were added to a company in the wallet portal',
    text: `${said}\n\n${portalUrl}\n\n${advice}\n`,
    html: `<p>${escapeHtml(said)}</p><p><a href="${escapeHtml(portalUrl)}">${escapeHtml(portalUrl)}</a></p><p>${advice}</p>`,
  }
}
