// SPDX-License-Identifier: Apache-2.0
// The machines of the page: the name that the native program knows, and the words of the menu.

export const machines = [
  { id: 'b200', label: 'NVIDIA B200', group: 'GPUs' },
  { id: 'mi300x', label: 'AMD MI300X', group: 'GPUs' },
  { id: 'b580', label: 'Intel Arc B580', group: 'GPUs' },
  { id: 'lesson-small', label: 'the small machine', group: 'Machines of the lessons' },
  { id: 'lesson-tlb', label: 'the small machine with a TLB', group: 'Machines of the lessons' },
  { id: 'lesson-sides', label: 'the machine of two sides', group: 'Machines of the lessons' },
  { id: 'lesson-chiplets', label: 'the machine of chiplets', group: 'Machines of the lessons' },
  { id: 'lesson-domains', label: 'the machine of two memory domains', group: 'Machines of the lessons' },
];
