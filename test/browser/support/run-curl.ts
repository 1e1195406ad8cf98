/** A call written for curl, made; `bearer` takes the place of the one that is written. */
export async function runCurl<data = Record<string, unknown>>(
  snippet: string,
  bearer?: string,
): Promise<{ status: number; data: data; error: unknown }> {
  const url = /curl '?(http[^'\s]+)/.exec(snippet)?.[1] ?? ''
  const written = [...snippet.matchAll(/-H '([^:]+): ([^']+)'/g)]
  const headers = Object.fromEntries(
    written.map(([, name = '', value = '']) => [
      name,
      name === 'Authorization' && bearer !== undefined ? `Bearer ${bearer}` : value,
    ]),
  )
  const body = /-d '(.*)'$/s.exec(snippet)?.[1]
  const answer = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) })
  return { status: answer.status, ...(await answer.json()) }
}
