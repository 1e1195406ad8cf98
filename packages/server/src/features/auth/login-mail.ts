/** The mail that carries a login code. The code is six digits: nothing in it needs escaping. */
export function loginMail(code: string): { subject: string; text: string; html: string } {
  const advice =
    'It works once, for 10 minutes. If you did not ask for it, ignore this mail and tell nobody the code.'
  return {
    subject: `${code} is your login code`,
    text: `Your login code is ${code}\n\n${advice}\n`,
    html: `<p>Your login code is</p><p style="font-size:28px;letter-spacing:4px"><b>${code}</b></p><p>${advice}</p>`,
  }
}
