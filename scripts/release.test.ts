import { expect, test } from 'vitest'
import { releaseSection, withSection } from './release.ts'

test('entries go below the heading that they name, in the order of Keep a Changelog', () => {
  expect(
    releaseSection('0.2.0', '2026-12-01', [
      'Fixed: the second.',
      'Something else.',
      'Added: the first.\nWith more.',
    ]),
  ).toBe(
    '## [0.2.0] - 2026-12-01\n\n### Added\n\n- the first.\n  With more.\n\n### Changed\n\n- Something else.\n\n### Fixed\n\n- the second.\n',
  )
})

test('a new section stands above the newest release and changes nothing else', () => {
  const before = '# Changelog\n\nIntro.\n\n## [0.1.0] - 2026-11-23\n\n- Old.\n'
  expect(withSection(before, '## [0.2.0] - 2026-12-01\n\n- New.\n')).toBe(
    '# Changelog\n\nIntro.\n\n## [0.2.0] - 2026-12-01\n\n- New.\n\n## [0.1.0] - 2026-11-23\n\n- Old.\n',
  )
})
