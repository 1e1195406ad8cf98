import { type MailText, mailTime, mailTimeHtml } from '../mailed-codes/index.ts'

/** The email about a login from a new device, which may be the first one of all. Nothing in it needs escaping: `device` is ours, `address` an IP address, `link` ours. */
export function deviceMail({
  isFirst,
  device,
  at,
  address,
  link,
}: {
  isFirst: boolean
  device: string
  at: Date
  address: string
  link: string
}): MailText {
  const time = mailTime(at)
  const before = isFirst
    ? 'Someone logged in to your wallet for the first time.'
    : 'Someone logged in to your wallet from a device that you have not used before.'
  const advice =
    'If this was you, you can ignore this email. If it was not, someone else can read your email: open the link and press the button to end the login and forget the device. Then secure your mailbox.'
  return {
    subject: 'New device logged in to your wallet',
    text: `${before}\n\nDevice: ${device}\nTime: ${time}\nClient address: ${address}\n\n${advice}\n\n${link}\n`,
    html: `<p>${before}</p><p>Device: <b>${device}</b><br>Time: ${mailTimeHtml(at)}<br>Client address: ${address}</p><p>${advice}</p><p><a href="${link}">End the login and forget the device</a></p>`,
  }
}
