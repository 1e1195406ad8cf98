import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { withSecretFiles } from './secret-files.ts'

test('a secret comes from its file without the last line break, and a fault names the setting and no content', () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'symbolon-secret-files-'))
  const file = (name: string, text: string) => {
    const at = path.join(folder.path, name)
    writeFileSync(at, text)
    return at
  }
  const read = (environment: Record<string, string>) => {
    const said: string[] = []
    const { environment: given, unusable } = withSecretFiles(environment, (name, says) =>
      said.push(`${name} ${says}`),
    )
    return { given, said, unusable: [...unusable] }
  }
  const [plain, two, windows] = [file('a', 'hidden'), file('b', 'hidden\n\n'), file('c', 'hidden\r\n')]
  expect(
    read({ SMTP_URL_FILE: plain, OIDC_CLIENT_SECRET_FILE: two, DATABASE_URL_FILE: windows }),
  ).toMatchObject({
    given: { SMTP_URL: 'hidden', OIDC_CLIENT_SECRET: 'hidden\n', DATABASE_URL: 'hidden' },
    said: [],
  })
  expect(
    read({
      SMTP_URL: 'x',
      SMTP_URL_FILE: plain,
      DATABASE_URL_FILE: path.join(folder.path, 'none'),
      AGENT_LLM_API_KEY_FILE: file('d', '\n'),
      ENCLAVE_API_KEY_FILE: file('e', 'x'.repeat(65_537)),
      OIDC_CLIENT_SECRET_FILE: folder.path,
    }),
  ).toMatchObject({
    said: [
      'DATABASE_URL_FILE names a file that cannot be read (ENOENT)',
      'ENCLAVE_API_KEY_FILE names a file of more than 65536 bytes',
      'SMTP_URL_FILE cannot be set together with SMTP_URL',
      'OIDC_CLIENT_SECRET_FILE names a file that cannot be read (EISDIR)',
      'AGENT_LLM_API_KEY_FILE names an empty file',
    ],
    unusable: ['DATABASE_URL', 'ENCLAVE_API_KEY', 'SMTP_URL', 'OIDC_CLIENT_SECRET', 'AGENT_LLM_API_KEY'],
  })
})
