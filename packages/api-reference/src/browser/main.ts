import { enableTabs } from './code-tabs.ts';
import { enableCopyButtons } from './copy-buttons.ts';
import { followReading } from './current-section.ts';
import { closeMenuOnNavigation } from './menu.ts';
import { enableSearch } from './search-box.ts';

enableTabs();
enableCopyButtons();
enableSearch();
followReading();
closeMenuOnNavigation();
