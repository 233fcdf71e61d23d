import { enableTabs } from './code-tabs.ts';
import { enableCopyButtons } from './copy-buttons.ts';
import { followReading } from './current-section.ts';
import { closeMenuOnNavigation } from './menu.ts';
import { followMovedAnchor } from './moved-anchors.ts';
import { enableSearch } from './search-box.ts';

followMovedAnchor();
enableTabs();
enableCopyButtons();
enableSearch();
followReading();
closeMenuOnNavigation();
